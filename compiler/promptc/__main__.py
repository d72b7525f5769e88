"""`python -m promptc`."""

from promptc.cli.app import main

if __name__ == "__main__":
    main()
