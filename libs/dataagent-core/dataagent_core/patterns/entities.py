"""The terms of a goal: what is to be done, and with what. Pure.

English words are cut to their stems, Chinese is split into pairs of signs, and what any request
has ("show me") and the slots of a goal are left out. A word that is negated, or that something is
turned into, is another term: "delete the files" is not "do not delete the files", nor "CSV to JSON"
"JSON to CSV".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dataagent_core.config.limits.patterns import (
    PATTERN_ENTITIES_MAX,
    PATTERN_ENTITY_CHARS_MAX,
    PATTERN_GOAL_CHARS_MAX,
)
from dataagent_core.language.common_words import is_common
from dataagent_core.language.text_ends import keep_whole_ends
from dataagent_core.language.word_split import split_words, stem_word
from dataagent_core.patterns.scrub import scrub
from dataagent_core.patterns.slots import remove_slots
from dataagent_core.permissions.shell.line import names

# Kinds of things that a task is about; which day, number or name it is says nothing of the task.
_TASK_KINDS: Final = frozenset({"file", "address"})
# Beside the words of any request (`language/common_words.py`).
_EMPTY_WORDS: Final = names(
    "per since until within 在 把 将 从 对 和 与 及 给 用 以 并 来 去 做 个"
)
# Work that goes on or is done again; of a sentence in Chinese even this much has several terms.
_GO_ON: Final = re.compile(
    r"请?(?:你|帮我|麻烦)?(?:就|先)?"
    r"(?:继续|接着|开始|重新|重|再|照做|照办|执行|下一步|可以|同意|确认)"
    r"(?:试|来|做|跑|运行|执行|说|写|生成|查|看|干|进行|往下)?(?:一?[次遍下])?[吧呀了啊]?"
)
_TOKEN: Final = re.compile(
    r"(?P<negation>不要|不得|不能|不可|别|勿|禁止|无需|不用|除了|不"
    r"|\b(?:\w+n['\u2019]t|not|no|never|without|except|cannot|neither|nor|avoid)\b)"
    r"|(?P<direction>(?:转换|转|翻译|译|改|变|换|导出|导入|写|保存|合并|存)[成为到至入]|\b(?:to|into|as)\b)"
    r"|(?P<han>[\u3400-\u9fff]+?(?=$|[^\u3400-\u9fff]|不|别|勿|禁止|无需|除了"
    r"|(?:转换|转|翻译|译|改|变|换|导出|导入|写|保存|合并|存)[成为到至入]))"
    r"|(?P<word>[^\W_\u3400-\u9fff]+)|(?P<cut>[,;.!?\n\u3002\uff1b])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class GoalTerms:
    """The terms of a goal in order, each once, and the kinds of things it is about."""

    terms: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    # Whether it has values: a file, a date, a number, a name.
    has_values: bool = False


def find_entities(text: str) -> GoalTerms:
    """Find the terms of a goal; a long text is read at both ends."""
    short = scrub(keep_whole_ends(text, PATTERN_GOAL_CHARS_MAX), PATTERN_GOAL_CHARS_MAX)
    if _GO_ON.fullmatch(re.sub(r"[\s。!?!?.,,]+", "", short)):
        return GoalTerms()
    left, kinds = remove_slots(short)
    terms = list(dict.fromkeys(_find_terms(left)))
    return GoalTerms(
        tuple(terms[:PATTERN_ENTITIES_MAX]), tuple(sorted(kinds & _TASK_KINDS)), bool(kinds)
    )


def _find_terms(text: str) -> Iterator[str]:
    """Find the terms; a mark goes to the first one that follows."""
    mark, is_after_term = "", False
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "negation":
                mark = "!"
            case "direction":
                # "CSV to JSON", and not "I want to see"; a Chinese one is part of its verb.
                if is_after_term or not token[0].isascii():
                    mark = mark or ">"
            case "cut":
                is_after_term = False
            case _:
                words = [word for word in split_words(token[0]) if _says_something(word)]
                is_after_term = bool(words)
                for word in words:
                    yield f"{mark}{stem_word(word)}"[:PATTERN_ENTITY_CHARS_MAX]
                    mark = ""


def _says_something(word: str) -> bool:
    return not is_common(word) and word not in _EMPTY_WORDS
