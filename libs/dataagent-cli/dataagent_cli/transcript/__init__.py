"""Events as what stands on the screen: what is finished, and what still changes.

The one renderer of the terminal. `transcript.py` says which event becomes what, and touches no
terminal: the prompt prints what it is given (`repl/screen/`), and so does `dataagent run`
(`run_printer.py`). What a terminal can show is `terminal/terminal_style.py`.
"""
