"""Classic findings about human memory, looked for in the real daemon: one experiment a file."""
