"""What of a message is the person's own statement. Pure.

A text that is to be translated or summarised, a quoted mail and a block of code stand in a message
too, and are nobody's wish or life. Rather too much is left out than too little.
"""

import re
from typing import Final

from dataagent_core.memory.hygiene.recall_mark import remove_recalled
from dataagent_core.session.prompt import without_code

# A long text between quotation marks is a citation; a short one is a name.
_CITED: Final = re.compile(
    '"[^"\n]{40,}"|\u201c[^\u201d\n]{40,}\u201d|\u00ab[^\u00bb\n]{40,}\u00bb'
    "|\u300c[^\u300d\n]{16,}\u300d|\u201c[\u3400-\u9fff\uff00-\uffef\u3000-\u303f]{16,}\u201d"
)
_QUOTED_LINE: Final = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
# Asks for work on a text that follows.
_WORK: Final = re.compile(
    r"\b(?:translate|summari[sz]e|rewrite|rephrase|paraphrase|proofread|edit|polish|shorten|"
    r"correct|review|analy[sz]e|explain|classify|extract|answer|reply|respond|fix|improve|"
    r"text|e-?mail|letter|article|transcript|message|paragraph|following|below|quote[sd]?|"
    r"says?|said|wrote|writes)\b"
    r"|翻译|总结|摘要|改写|润色|校对|缩写|分析|解释|回复|回答|提取|修改|邮件|文章|以下|下面|如下|原文",
    re.IGNORECASE,
)
# The end of a line behind which such a text begins.
_COLON_AT_END: Final = re.compile(r"[:\uff1a]\s*$")


def find_own_statements(text: str) -> str:
    """Return what the person says themselves, in their words and order."""
    kept: list[str] = []
    plain = _QUOTED_LINE.sub("", without_code(remove_recalled(text)))
    for line in plain.split("\n"):
        kept.append(_CITED.sub(" ", line))
        if _COLON_AT_END.search(line) and _WORK.search(line):
            # Whatever follows is the text to work on.
            break
        head, colon, _ = line.partition(":")
        if colon and _WORK.match(head.strip()):
            kept[-1] = head
    return "\n".join(kept)
