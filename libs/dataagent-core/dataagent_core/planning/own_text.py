"""Leaves of a message what its writer says: no code, no quotation, no pasted lines, no names. Pure.

What a person pastes or names may hold any word, and asks for nothing. What comes from an attached
file is left out before (`session/prompt.py`, `own_words`). A limit keeps a long message cheap: what
is wanted stands at its ends.
"""

import re
from typing import Final

from dataagent_core.language.text_ends import keep_ends
from dataagent_core.session.prompt import without_code

# What is read of a message: both ends of a longer one.
OWN_TEXT_CHARS_MAX: Final = 4_000
# What stands for a part that was left out.
_GAP: Final = '""'
# A quotation goes over no line and has a limit, so that a lone sign opens none.
_QUOTATION = re.compile(
    '"[^"\n]{1,400}"|\u201c[^\u201c\u201d\n]{1,400}\u201d|\u300c[^\u300c\u300d\n]{1,400}\u300d'
    "|\u300e[^\u300e\u300f\n]{1,400}\u300f|\u300a[^\u300a\u300b\n]{1,400}\u300b"
    r"|(?<!\w)['\u2018][^'\u2018\u2019\n]{1,400}['\u2019](?!\w)"
)
# Lines of logs, stack traces, quoted mail, tables, CSV, prompts, patches, SQL and indented code.
_PASTED_LINE = re.compile(
    r"""^(?:
    [ \t]*(?: > | \| | \$[ ] | >>> | [{}<\]] | \+\+\+ | --- | @@ )
    | [ \t]*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d
    | [ \t]*\[?\d\d:\d\d:\d\d
    | [A-Z][a-z]{2}[ ]{1,2}\d{1,2}[ ]\d\d:\d\d:\d\d
    | [ \t]*\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|CRITICAL)\b
    | [ \t]*(?: Traceback[ ] | Caused[ ]by: | File[ ]" | at[ ][\w.$<>]{1,200}\( | \.\.\.[ ]\d )
    | [ \t]*[\w.]{0,200}(?:Error|Exception):
    | [ \t]*(?: SELECT | INSERT | UPDATE | DELETE | CREATE | FROM | WHERE | GROUP | ORDER | WITH )\b
    | .*(?: \{ | \); | \}; )$
    | (?:[ ]{4}|\t)(?![ \t]*(?:[-*\u2022]|\d{1,2}[.)\u3001]))
    | [!-+\--~]{1,200},[!-+\--~]{0,200},[!-~]*$
    ).*$""",
    re.MULTILINE | re.VERBOSE | re.ASCII,
)
_TOKEN = re.compile(r"[\w./\\@~:#%?=&+$-]++(?:\([^()\s]{0,80}\))?", re.ASCII)
# File names, paths, addresses, and names of code.
_NAME = re.compile(
    r"\w_\w|[A-Za-z]\w{0,60}\.\w|\w@\w|://|^(?:[~/@]|\.{1,2}/)|/[^/]{0,200}/|\w\\\w|\)$",
    re.ASCII,
)


def keep_own_text(message: str) -> str:
    """Return what the writer of a message says, cut to its ends, with `""` for what is left out."""
    text = without_code(keep_ends(message, OWN_TEXT_CHARS_MAX))
    text = _PASTED_LINE.sub("", text)
    text = _QUOTATION.sub(_GAP, text).replace("\u2019", "'")
    return _TOKEN.sub(_leave_word, text).strip()


def _leave_word(found: re.Match[str]) -> str:
    token = found[0]
    return _GAP if _NAME.search(token) else token
