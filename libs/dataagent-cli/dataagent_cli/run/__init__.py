"""One run from the command line. Start at `conduct.py`."""
