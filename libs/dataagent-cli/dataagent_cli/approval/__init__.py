"""Asks the person at the terminal to decide about a tool call. Start at `questions.py`."""
