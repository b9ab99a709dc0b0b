"""Finds secrets in text by their shape and masks them. Pure.

A last resort: no code should log or store a secret. It recognises headers, query values, passwords
inside URLs, private keys, signed tokens, and keys of providers and of our server. The server's logs
and what is kept of a conversation (`spoken_secret.py`) share it.
"""

import re
from typing import Final

MASK: Final = "***"

_NAMES: Final = (
    r"authorization|proxy-authorization|x-api-key|x-csrf-token|set-cookie|cookie|api[-_]?keys?|"
    r"access_token|refresh_token|id_token|token|ticket|password|passwd|secret|client_secret"
)
# In ASCII a word also begins and ends at a Chinese sign.
_SETTINGS: Final = r"password|passwd|pwd|secret|token|(?:api|access|account|private|secret)[-_]?key"
_PATTERNS: Final = (
    # A header, a JSON or a Python field: its name, then everything up to the end of the value.
    (
        re.compile(
            rf"(?ai)(['\"]?\b(?:{_NAMES})['\"]?\s*:\s*)(b?'[^'\n]*'|b?\"[^\"\n]*\"|[^\s,}}][^\n,}}]*)"
        ),
        rf"\1{MASK}",
    ),
    # A value in a query string or a form.
    (re.compile(rf"(?ai)\b((?:{_NAMES}|key|code|state)=)[^&\s\"'#;,]+"), rf"\1{MASK}"),
    # A variable or a setting, of whatever name before it: `PGPASSWORD=x`, `AccountKey="a b"`.
    (re.compile(rf"(?i)((?:{_SETTINGS}) ?= ?([\"']))(?:(?!\2)[^\n])+"), rf"\1{MASK}"),
    (re.compile(rf"(?i)((?:{_SETTINGS}) ?= ?)[^\s\"'&;,#]{{4,}}"), rf"\1{MASK}"),
    # Options of a command: `--token x`, `-u name:x`, `mysql -px`.
    (
        re.compile(r"(?ai)((?<!\S)--(?:pass(?:word|wd)?|token|secret|(?:api|access)-?key)[ =])\S+"),
        rf"\1{MASK}",
    ),
    (re.compile(r"((?<!\S)(?:-u ?|--user[ =])[\"']?[^\s:\"']{1,64}:)[^\s\"']+"), rf"\1{MASK}"),
    (re.compile(r"(\b(?:mysql|mariadb)\w{0,8} [^\n|;]{0,200}?(?<=\s)-p)[^\s\"']+"), rf"\1{MASK}"),
    (re.compile(r"(?ai)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{4,}"), rf"\1 {MASK}"),
    # The name ends at the first colon, so that a text full of colons is read once.
    (re.compile(r"(?<=://)([^/@:\s]*):([^/\s]*)@"), rf"\1:{MASK}@"),
    (re.compile(r"(?a)\b(?:sk|pk|rk|da|tvly)[-_][A-Za-z0-9_-]{8,}"), MASK),
    (
        re.compile(
            r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}"
            r"|\bglpat-[\w-]{16,}|\bxox[a-z]-[\w-]{8,}|\bAIza[\w-]{20,}|\bhf_[A-Za-z0-9]{16,}"
            r"|\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?",
            re.ASCII,
        ),
        MASK,
    ),
    # Up to its end, or to the end of a text in which it is cut off.
    (
        re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}-----)?"),
        MASK,
    ),
)


def mask_secrets(text: str) -> str:
    """Replace what looks like a secret by a mask."""
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text
