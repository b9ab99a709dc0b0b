"""Finds secrets that are named in a sentence and masks them: "the password is hunter2". Pure.

`secret_text.py` finds those that have a shape of their own. Both keep secrets out of what is stored
of a conversation (`patterns/scrub.py`, `memory/hygiene/`).
"""

import re
from typing import Final

from dataagent_core.secrets.secret_text import mask_secrets

# "the password is hunter2", "密码是 hunter2"; what is masked already stays so.
_SPOKEN: Final = re.compile(
    r"(?i)((?:(?<![a-z])(?:pass(?:word|code|phrase|wd)?|pwd|pin|secret|token|credentials?"
    r"|(?:api|access)[ -]?key)|密[码碼]|口令|密[钥鑰]|[验驗][证證][码碼]|令牌)\s{0,3}"
    r"(?:is|are|was|=|:|为|為|是)\s{0,3})(?!\*\*\*)[^\s,;。,;]+"
)
# "password hunter2", "密码hunter2": with a digit, as words that follow have none.
_NAMED: Final = re.compile(
    r"(?i)((?<![a-z])(?:pass(?:word|code|phrase|wd)|pwd|pin|cvv|secret|token"
    r"|(?:api|access)[ -]?key)\s{1,3}|(?:密[码碼]|口令|密[钥鑰]|[验驗][证證][码碼]|令牌)\s{0,3})"
    r"(?=[!-~]{0,80}\d)[!-~]{3,}"
)


def mask_spoken_secrets(text: str, mask: str) -> str:
    """Replace secrets by a mask: those that are named, after those of a known shape."""
    text = _SPOKEN.sub(rf"\1{mask}", mask_secrets(text))
    return _NAMED.sub(rf"\1{mask}", text)
