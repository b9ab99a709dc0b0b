"""What a terminal can show (`terminal_style.py`): symbols, line breaks, pictures."""
