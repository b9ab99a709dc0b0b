"""Which `${...}` and arithmetic can be trusted to run nothing that does not stand there.

Bash evaluates the value of a variable as code in array subscripts, in arithmetic, through `${!x}`
and `${x@P}`. There the value, which nobody knows, would decide what runs.
"""

import re

from dataagent_core.permissions.shell.grammar import Node

_SUBSTRING = re.compile(r"\$\{\w+:\s*-?\d+\s*(:\s*-?\d+\s*)?\}", re.ASCII)
_SUBSCRIPT = re.compile(r"\[(\d+|@|\*)\]")
_NUMBERS_ONLY = re.compile(r"[\d\s+*/%()<>=!&|^~?:,.-]*")


def doubt_about(node: Node, text: str) -> str | None:
    """Say why a parameter expansion cannot be trusted, if so."""
    signs = {child.type for child in node.children if not child.is_named}
    if "!" in signs or "@" in signs:
        return f"{text:.40} runs what a variable holds"
    if ":" in signs and not _SUBSTRING.fullmatch(text):
        return f"{text:.40} calculates with what a variable holds"
    if any(child.type == "subscript" for child in node.children) and not _SUBSCRIPT.search(text):
        return f"{text:.40} calculates with what a variable holds"
    return None


def doubt_about_arithmetic(text: str) -> str | None:
    """Say why arithmetic cannot be trusted, if so."""
    inside = text.removeprefix("$").strip("()[]")
    if _NUMBERS_ONLY.fullmatch(inside):
        return None
    return f"{text:.40} calculates with what a variable holds"


def doubt_about_test(text: str) -> str | None:
    """Say why `[[ ... ]]` or `[ ... ]` cannot be trusted, if so."""
    if re.search(r"\s-[vR]\s", text):
        return "a test of a variable by name may run what stands in its subscript"
    if text.startswith("[["):
        if re.search(r"-(eq|ne|lt|le|gt|ge)\b", text):
            return "[[ ]] calculates with what a variable holds"
        return None
    if re.search(r"[<>]", text):
        return "< and > within [ ] open files"
    return None
