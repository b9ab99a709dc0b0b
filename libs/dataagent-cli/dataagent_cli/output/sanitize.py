"""Makes text of models, tools and files harmless for a terminal. Pure.

Such text may hold control sequences that move the cursor, change colours or turn the reading
direction, and so forge what a person sees. `sanitize_text` removes them; `spell_out` makes them
visible, for the approval prompt, where a hidden character may be the whole point.
"""

import re

_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[@-_])")

_BIDI = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_TAGS = range(0xE0000, 0xE0080)
_CONTROLS = (*range(0x20), *range(0x7F, 0xA0))
_KEPT = frozenset("\n\t")

_CLEANING: dict[int, str | None] = {
    **{code: None for code in (*_CONTROLS, *_BIDI, *_TAGS) if chr(code) not in _KEPT},
    **dict.fromkeys((0x2028, 0x2029), "\n"),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}


def sanitize_text(text: str) -> str:
    """Remove everything that could steer a terminal; line breaks and tabs stay."""
    return _SEQUENCE.sub("", text.replace("\r\n", "\n")).translate(_CLEANING)


def harmless_json(document: str) -> str:
    """Escape characters that could steer a terminal; the document keeps its meaning."""
    # In valid JSON such characters occur only inside strings, where an escape may replace them.
    return "".join(_json_escape(char) if _is_steering(char) else char for char in document)


def one_line(text: str) -> str:
    """Sanitize a text and put it on one line."""
    return " ".join(sanitize_text(text).split())


def spell_out(text: str) -> str:
    """Write every invisible character as an escape; line breaks and tabs stay."""
    return "".join(char if _is_visible(char) else _escape(char) for char in text)


def _is_steering(char: str) -> bool:
    return ord(char) in _CLEANING and char != "\r"


def _json_escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _is_visible(char: str) -> bool:
    # Python treats controls, unassigned characters and unusual spaces as not printable; the wide
    # space that begins a Chinese paragraph is usual.
    return char.isprintable() or char in _KEPT or char == "\u3000"


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
