r"""Normalizes text without moving characters: full-width forms, lower case.

Full-width characters are written as escapes (`\uff0c`), because they look like their ASCII forms.
"""

import re

# Full-width . % - + ( ) : | $ and the yen sign, as the ASCII forms that figures are read in.
_SIGNS = {
    0xFF0E: ".",
    0xFF05: "%",
    0xFF0D: "-",
    0xFF0B: "+",
    0xFF08: "(",
    0xFF09: ")",
    0xFF1A: ":",
    0xFF5C: "|",
    0xFF04: "$",
    0xFFE5: "\u00a5",
}
_DIGITS = {0xFF10 + digit: str(digit) for digit in range(10)}
_HALF_WIDTH = _DIGITS | _SIGNS
# Full-width comma; exclamation mark, question mark and semicolon end a sentence.
_WORDS = _HALF_WIDTH | {0xFF0C: ",", 0xFF01: "。", 0xFF1F: "。", 0xFF1B: "。"}
_WIDE_THOUSANDS = re.compile(r"(?<=[\uff10-\uff19])\uff0c(?=[\uff10-\uff19]{3})")


def narrow_text(text: str) -> str:
    """Write digits and signs in ASCII; the wide comma stays, unless it groups wide digits."""
    return _WIDE_THOUSANDS.sub(",", text).translate(_HALF_WIDTH)


def fold_text(text: str) -> str:
    """Make a text comparable: lower case, no full-width signs."""
    lower = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lower.translate(_WORDS)
