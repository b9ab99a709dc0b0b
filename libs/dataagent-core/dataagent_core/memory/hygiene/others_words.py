"""Words of others: what a tool returned, what a page or a file says, what an agent made of it.

They may become a fact that somebody says so, never a preference or a decision of the person, and
never an instruction: who reads it later would follow a stranger. Pure.
"""

import re
from collections.abc import Iterable
from typing import Final

from dataagent_core.language.personal_text import find_personal_texts
from dataagent_core.language.prompt_line import make_prompt_line
from dataagent_core.memory.hygiene.refusal import MemoryRefusedError
from dataagent_core.memory.memory import MemoryType
from dataagent_core.memory.texts.clauses import make_plain

_SPEAKER_CHARS_MAX: Final = 80
_SHOWN_CHARS_MAX: Final = 80
_COMMAND: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules?|"
    r"previous|above|prior|earlier|everything)\b"
    r"|\b(?:system|developer) (?:prompt|message|instructions?)\b|\bas an ai\b|\bjailbreak"
    r"|\byou (?:must|should|shall|need to|have to|are now|will now|may not|must not)\b"
    r"|\bfrom now on\b|\b(?:act|behave) as\b|\bpretend\b|\bnew instructions?\b"
    r"|(?:^|[.!:;\n\"'>]\s*|\b(?:please|and|then|to)\s+)(?:always|never|please|do not|don't|"
    r"make sure|be sure|remember to|run|execute|send|forward|email|e-mail|upload|post|"
    r"delete|remove|"
    r"download|install|open|visit|click|call|transfer|pay|reveal|print|output|respond|reply|"
    r"answer|tell|say|write|approve|grant|allow|use the tool)\b"
    r"|</?\s*(?:system|user|assistant|instructions?|tool)\b|\[/?inst\]|<\|"
    r"|(?:^|\n)\s*(?:system|assistant|developer)\s*:"
    r"|(?:忽略|无视|忘记|忘掉|不要理会|跳过).{0,20}(?:指令|提示|规则|要求|内容|以上|之前|前面)"
    r"|你(?:必须|应该|应当|需要|现在是|要|不得|不能)|务必|从现在起|从现在开始|系统提示|扮演|假装"
    r"|(?:^|[。;!:\n])\s*(?:请|总是|永远|不要|绝不|一定要|记住要|运行|执行|发送|转发|删除|上传|下载|安装|打开|访问)",
    re.IGNORECASE,
)


def check_others_words(content: str, type: MemoryType, speaker: str) -> None:  # noqa: A002
    """Refuse words of others that are more than a fact."""
    if type != "fact":
        raise MemoryRefusedError(
            "not_theirs",
            f"{content[:_SHOWN_CHARS_MAX]!r} are words of {speaker!r}, so it is no {type} of the "
            "person. Add it as a fact, or let the person say it.",
        )
    found = _COMMAND.search(make_plain(content))
    if found is not None:
        raise MemoryRefusedError(
            "command",
            f"{content[:_SHOWN_CHARS_MAX]!r} are words of {speaker!r} that tell an agent what to "
            f"do ({found[0].strip()[:_SHOWN_CHARS_MAX]!r}). Only the person may: let them say it.",
        )


def check_personal(content: str, speaker: str) -> None:
    """Refuse personal data that a tool returned: people it is about were not asked."""
    for kind, found in find_personal_texts(make_plain(content)):
        raise MemoryRefusedError(
            "personal",
            f"The words of {speaker!r} hold personal data ({kind}, {len(found)} characters), which "
            "is not remembered of a result. Leave it out, or let the person say it.",
        )


def name_speaker(speaker: str, tools: Iterable[str], fallback: str) -> str:
    """Name whose words they are, on one line: the name may be a stranger's too."""
    named = speaker.strip() or ", ".join(dict.fromkeys(tool for tool in tools if tool)) or fallback
    return make_prompt_line(named)[:_SPEAKER_CHARS_MAX]


def attribute(content: str, speaker: str) -> str:
    """Say whose words they are: `example.com says: the shop is closed`."""
    said = f"{speaker} says: "
    return content if content.casefold().startswith(said.casefold()) else said + content


def strip_speaker(content: str, speaker: str) -> str:
    """Return words without the note of whose they are."""
    said = f"{speaker} says: "
    return content[len(said) :] if content.casefold().startswith(said.casefold()) else content
