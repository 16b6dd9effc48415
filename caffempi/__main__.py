"""`python -m caffempi`: the command line."""
import sys

from caffempi.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
