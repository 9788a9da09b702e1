"""`python -m panshuffle`."""

from panshuffle.main import main

if __name__ == "__main__":
    main()
