"""Finds what in a goal stands for one thing this time and for another the next. Pure.

Dates and periods, numbers, files, addresses, quoted texts, names of companies and of people are
slots: they are no part of a task's signature, and a pattern shows `{date}` in their place. A name
is a word with a capital inside a sentence, or stands before a title in Chinese; others are missed.
"""

import re
from collections.abc import Callable
from typing import Final

from dataagent_core.models.embeddings.message_ids import remove_ids
from dataagent_core.permissions.shell.line import names

_FLAGS: Final = re.IGNORECASE | re.ASCII
_ADDRESS: Final = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://[!-~]+|\bwww\.[!-~]+"
    r"|[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}",
    _FLAGS,
)
_ENDINGS: Final = (
    "csv|tsv|xlsx?|xlsm|ods|jsonl?|parquet|pdf|docx?|pptx?|txt|md|html?|xml|ya?ml|toml|sql|db|sqlite"
    "|py|ipynb|tsx?|js|sh|go|rs|java|png|jpe?g|svg|gif|zip|gz|tar|log|ini|cfg"
)
_FILE: Final = re.compile(
    rf"(?<![\w./~-])(?:(?:[\w.@~-]{{0,80}}/){{0,20}}[\w@~-][\w.@-]{{0,80}}|[\u4e00-\u9fff]{{1,20}})"
    rf"\.(?:{_ENDINGS})(?!\w)|(?<![\w.:/~])~?(?:/[\w.@+-]{{1,80}}){{2,20}}/?",
    _FLAGS,
)
_QUOTED: Final = re.compile(
    r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|「[^」\n]{1,80}」|《[^》\n]{1,80}》|`[^`\n]{1,80}`"
    r"|(?<!\w)'[^'\n]{1,80}'(?!\w)"
)
_UNITS: Final = "(?:day|week|month|quarter|year|hour|minute|weekend|night)s?"
_MONTHS: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|may(?=,?\s\d))"
)
_DATE: Final = re.compile(
    rf"\b(?:(?:this|last|next|past|previous|current|coming|latest)\s(?:\d{{1,4}}\s)?{_UNITS}"
    r"|q[1-4](?:\s?(?:fy|of)?\s?'?\d{2,4})?|h[12](?:\s?\d{4})?|fy\s?'?\d{2,4}|\d{4}\s?-?[qh][1-4]"
    r"|week\s\d{1,2}|ytd|mtd|yesterday|today|tomorrow|tonight"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    rf"|(?:\d{{1,2}}(?:st|nd|rd|th)?\s)?{_MONTHS}\.?(?:\s\d{{1,2}}(?:st|nd|rd|th)?)?(?:,?\s\d{{4}})?"
    r"|\d{4}-\d\d?(?:-\d\d?)?|\d{1,2}/\d{1,2}(?:/\d{2,4})?|(?:19|20)\d\ds?)\b",
    _FLAGS,
)
_DATE_CHINESE: Final = re.compile(
    r"(?:\d{2,4}|[今明去前])\s?年度?|第?[一二三四1-4]\s?季度|[上下]半年"
    r"|(?:\d{1,2}|[一二三四五六七八九十]{1,2})\s?月份?(?!报)|\d{1,2}\s?[日号]"
    r"|[上下本这]个?(?:周|月|季度|星期)(?!报)|[今明昨前]天|(?:周|星期)[一二三四五六日天]"
    r"|(?:最近|过去|近)\s?[\d一二两三四五六七八九十]{1,3}\s?个?(?:月|天|周|年|季度)"
)
_NAME_CHINESE: Final = re.compile(
    r"[\u4e00-\u9fff]{2,6}(?:有限公司|公司|集团)|[\u4e00-\u9fff]{1,3}(?:先生|女士|小姐|经理|总监|老师)"
)
_NAME: Final = re.compile(r"(?<=[a-z0-9,}] )[A-Z][a-z]+\b(?: (?:(?:&|of) )?[A-Z][A-Za-z]+\b){0,3}")
# With a capital, and what the task is about; beside them a word in capitals or camel case is.
_NO_NAMES: Final = names(
    "Excel Word Outlook Python Java Rust Slack Jira Docker Kubernetes Linux Windows Postgres Oracle"
    " Redis Spark Tableau Salesforce Google Microsoft Amazon Azure Markdown Parquet Git"
)
_LONG_WORD: Final = re.compile(r"[A-Za-z]{4,}")
_NUMBER: Final = re.compile(
    r"(?<![A-Za-z0-9])[#$€£¥]?\d[\d,.:%]*(?:[kmb]|st|nd|rd|th)?(?![A-Za-z0-9])", _FLAGS
)
_BLANKS: Final = re.compile(r"[ \t]{2,}")
_REPEATED: Final = re.compile(r"(\{[a-z]+\})(?: \1)+")
_MASKED: Final = re.compile(r"\*\*\*|\[[a-z ]{3,10}\]")


def fill_slots(goal: str) -> str:
    """Return the goal with the name of its kind in the place of each slot."""
    text = _BLANKS.sub(" ", _fill(goal, lambda kind: f" {{{kind}}} "))
    return _REPEATED.sub(r"\1", text).strip()


def remove_slots(goal: str) -> tuple[str, frozenset[str]]:
    """Return the goal without its slots, and the kinds of things that stood there."""
    kinds: set[str] = set()

    def drop(kind: str) -> str:
        kinds.add(kind)
        return " , "

    return remove_ids(_MASKED.sub(" , ", _fill(goal, drop))), frozenset(kinds)


def _fill(goal: str, fill: Callable[[str], str]) -> str:
    text = goal
    for kind, pattern in (
        ("address", _ADDRESS),
        ("file", _FILE),
        ("name", _QUOTED),
        ("date", _DATE_CHINESE),
        ("date", _DATE),
        ("name", _NAME_CHINESE),
    ):
        text = pattern.sub(lambda _, kind=kind: fill(kind), text)
    # In a title every long word has a capital, which then says nothing.
    if not all(word[0].isupper() for word in _LONG_WORD.findall(text)):
        text = _NAME.sub(lambda found: _fill_name(found[0], fill), text)
    return _NUMBER.sub(lambda _: fill("number"), text)


def _fill_name(found: str, fill: Callable[[str], str]) -> str:
    return found if found.partition(" ")[0] in _NO_NAMES else fill("name")
