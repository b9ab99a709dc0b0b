"""Marks around attached content in a message, which the content cannot forge. Pure."""

import json


def wrap_in_marks(kind: str, name: str, content: str, note: str = "") -> str:
    """Put content between marks that do not occur in it, with a note before it."""
    mark, number = f"attached-{kind}", 1
    while f"</{mark}>" in content:
        number += 1
        mark = f"attached-{kind}-{number}"
    lines = [f"<{mark} name={quoted_name(name)}>", note, content.rstrip("\n"), f"</{mark}>"]
    return "\n".join(line for line in lines if line)


def quoted_name(name: str) -> str:
    """Quote a name so that it cannot end a mark."""
    return json.dumps(name, ensure_ascii=False).replace("<", r"\u003c")
