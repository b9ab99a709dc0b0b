"""What a terminal can show (`look.py`), and the means to show it: signs, line breaks, pictures."""
