"""Which `${...}` and arithmetic can be trusted to run nothing that does not stand there.

Bash evaluates the value of a variable as code in array subscripts, in arithmetic, through `${!x}`
and `${x@P}`. There the value, which nobody knows, would decide what runs.
"""

import re

from dataagent_core.permissions.shell.parser.grammar import Node

_SUBSTRING = re.compile(r"\$\{\w+:\s*-?\d+\s*(:\s*-?\d+\s*)?\}", re.ASCII)
_SUBSCRIPT = re.compile(r"\[(\d+|@|\*)\]")
_NUMBERS_ONLY = re.compile(r"[\d\s+*/%()<>=!&|^~?:,.-]*")
# Within double quotes and here-documents single quotes in `${...}` mean nothing to bash: what the
# grammar takes for a string may run, or end the expansion.
_PLAIN_QUOTED = re.compile(r"'[\w ./:,=+@%-]*'", re.ASCII)
_BY_NAME = re.compile(r"(?:^|[\s(!])-[vR](?!\w)")
# To bash `[` is a command like others, so `[ a || b ]` is two of them; the grammar sees one test.
# Here are only words, and no two that are unknown side by side, which may become `-v a[...]`.
_KNOWN = r"""(?:[\w./:@%+=,^~!-]|'[^']*'|"[^"$`\\]*"|\\[^\n])"""
_UNKNOWN = r"""(?:"[^"`\\$]*(?:\$\w+|\$\{\w+\}|\$\([^()"'`\\$]*\))[^"`\\$]*"|\$[?#$!])"""
_TEST_WORD = re.compile(rf"[ \t]++(?P<unknown>{_UNKNOWN})?(?:{_KNOWN}|{_UNKNOWN})*+(?=[ \t])")
_TEST_END = re.compile(r"[ \t]++\]")


def doubt_about(node: Node, text: str) -> str | None:
    """Say why a parameter expansion cannot be trusted, if so."""
    if "'" in text and "'" in _PLAIN_QUOTED.sub("", text):
        return f"{text:.40} holds quotes that may not quote"
    signs = {child.type for child in node.children if not child.is_named}
    if "!" in signs or "@" in signs:
        return f"{text:.40} runs what a variable holds"
    if "=" in signs or ":=" in signs:
        return f"{text:.40} sets a variable"
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
    if _BY_NAME.search(text):
        return "a test of a variable by name may run what stands in its subscript"
    if text.startswith("[["):
        if re.search(r"-(eq|ne|lt|le|gt|ge)\b", text):
            return "[[ ]] calculates with what a variable holds"
        return None
    return None if _is_plain_test(text) else "what [ ] tests cannot be read for certain"


def _is_plain_test(text: str) -> bool:
    place, unknown_before = 1, False
    while not _TEST_END.fullmatch(text, place):
        found = _TEST_WORD.match(text, place)
        if found is None or (unknown_before and found["unknown"]):
            return False
        place, unknown_before = found.end(), bool(found["unknown"])
    return True
