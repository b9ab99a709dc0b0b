"""Events as what stands on the screen: what is finished, and what still changes.

`transcript.py` says which event becomes what; `look.py` is what the terminal can show. Nothing in
here reads or writes a terminal: `repl/` prints what it is given.
"""
