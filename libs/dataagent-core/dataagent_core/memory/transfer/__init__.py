"""Memories that come from elsewhere and go elsewhere.

import_turns.py    a conversation of another program becomes memories and episodes
memory_lines.py    memories as JSON lines
"""
