"""One conversation as the terminal sees it, whoever does the work. Start at `port.py`."""
