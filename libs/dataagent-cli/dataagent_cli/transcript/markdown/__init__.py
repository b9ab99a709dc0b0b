"""Streamed Markdown as lines. Start at `stream.py`: the text of one answer."""
