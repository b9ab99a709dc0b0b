"""Which value of a setting wins, and where it came from. The order is in `precedence.py`."""
