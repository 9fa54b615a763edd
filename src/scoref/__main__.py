"""`python -m scoref` is the `scoref` command."""

from scoref.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
