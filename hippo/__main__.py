"""`python -m hippo` and the `hippo` script."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line and exits with its code."""
    from hippo.runtime.worker import one_thread

    one_thread()
    from hippo.cli.program import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
