"""Renders events for the screen: what is finished, and what still changes.

The one renderer of the terminal. `transcript.py` maps events to output and touches no terminal: the
prompt prints what it returns (`repl/screen/`), and so does `dataagent run` (`run_printer.py`).
`terminal/terminal_style.py` says what a terminal can show.
"""
