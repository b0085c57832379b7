"""`python -m hippo` and the `hippo` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that the arguments name, and exit with its code."""
    from hippo.cli.program import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
