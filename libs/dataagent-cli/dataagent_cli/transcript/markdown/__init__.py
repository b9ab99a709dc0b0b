"""Markdown as it is written, as lines. Start at `stream.py`: the text of one answer."""
