"""What a terminal can show (`terminal_style.py`): signs, line breaks, pictures."""
