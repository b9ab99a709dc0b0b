"""Letting the person at the terminal decide about an action. Start at `questions.py`."""
