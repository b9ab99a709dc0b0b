"""Parses a script with bash's grammar: which commands it runs, which files it opens.

The entry point is `script.py`, called by `shell.read_line`. `shell/opener.py` handles the words of
a command once they are known.
"""
