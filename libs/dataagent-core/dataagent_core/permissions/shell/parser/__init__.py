"""Reading a script as bash does, with its grammar: which commands it runs, which files it opens.

`script.py` is the way in, through `shell.read_line`. What becomes of a command's words, once they
are known, is `shell/opener.py`'s.
"""
