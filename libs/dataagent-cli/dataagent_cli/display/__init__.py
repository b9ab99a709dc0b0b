"""Showing a run: for people (`human.py`) or for programs (`json_lines.py`)."""
