"""Words of one family: "punctual" and `punctuality`, "applied" and `applicants`.

Two English words are of one family if they differ only in their endings, or if one is the other
behind "in", "out" or "net" ("outflows" of `flows`). A verb and its particle are the noun of both
("dropped out" of `dropouts`). A Chinese name is also said by two characters of it that no other
name has: 丢失 for 丢失件, 里程 for 运营里程.
"""

import re
from collections.abc import Iterable

_STEM_CHARS_MIN = 4
_ENDINGS = frozenset(
    {
        *("", "s", "es", "e", "d", "ed", "ing", "er", "ers", "or", "ors", "y", "ies", "ied", "ly"),
        *("ion", "ions", "tion", "tions", "ation", "ations", "ption", "al", "als", "ity", "ities"),
        *("ment", "ments", "ance", "ence", "ancy", "ency", "ant", "ants", "ent", "ents", "cant"),
        *("cants", "able", "ible", "ive", "ives", "ness", "ful", "age", "ages", "ship"),
    }
)
# Verbs whose forms differ in more than their endings.
_IRREGULAR = tuple(
    frozenset(forms.split())
    for forms in (
        "give gives gave given giving", "buy buys bought buying", "catch catches caught catching",
        "take takes took taken taking", "send sends sent sending", "build builds built building",
        "lose loses lost losing", "drive drives drove driven", "grow grows grew grown growing",
        "teach teaches taught teaching", "lend lends lent lending", "win wins won winning",
        "write writes wrote written", "break breaks broke broken", "hold holds held holding",
        "spend spends spent spending", "fly flies flew flown flight flights",
        "sell sells sold selling",
        "bear bears bore born birth births", "die dies died death deaths",
        "bid bids bidding", "feed feeds fed feeding", "make makes made making",
    )
)  # fmt: skip
_BEFORE = ("out", "in", "net")
_PARTICLES = ("out", "up", "off", "down", "in")
# Two characters of a name that say how something is measured, or which of many it is.
_ZH_COMMON = frozenset(
    {
        *("最大", "最小", "最高", "最低", "平均", "总计", "累计", "合计", "数量", "人数", "次数"),
        *("金额", "总额", "总数", "总量", "比例", "占比", "单数", "笔数", "天数", "本月", "本年"),
        *("去年", "今年", "同比", "环比", "增长", "全部", "其他", "以上", "以下", "每月", "每日"),
    }
)


def is_same_family(word: str, other: str) -> bool:
    """Say whether two folded words differ only in their endings."""
    if _differ_in_endings(word, other) or any({word, other} <= forms for forms in _IRREGULAR):
        return True
    return any(
        word.startswith(before) and _differ_in_endings(word.removeprefix(before), other)
        for before in _BEFORE
    )


def make_verb_pattern(word: str) -> re.Pattern[str] | None:
    """Make a pattern of the verb that a noun such as `dropouts` or `signup` is of."""
    stem = word.removesuffix("s")
    for particle in _PARTICLES:
        verb = stem.removesuffix(particle)
        if verb != stem and len(verb) > 2:  # noqa: PLR2004 (a verb)
            return re.compile(rf"\b{verb}(?:s|{verb[-1]}?ed|{verb[-1]}?ing)? {particle}\b")
    return None


def map_unshared_pairs(runs: Iterable[tuple[int, str]]) -> dict[str, str]:
    """Map two characters of a Chinese name to it, where no other column's names have them."""
    owners: dict[str, set[int]] = {}
    names: dict[str, str] = {}
    for column, run in runs:
        for at in range(len(run) - 1):
            pair = run[at : at + 2]
            owners.setdefault(pair, set()).add(column)
            names.setdefault(pair, run)
    return {
        pair: names[pair]
        for pair, columns in owners.items()
        if len(columns) == 1 and pair not in _ZH_COMMON
    }


def _differ_in_endings(word: str, other: str) -> bool:
    shared = 0
    for one, two in zip(word, other, strict=False):
        if one != two:
            break
        shared += 1
    for length in range(shared, _STEM_CHARS_MIN - 1, -1):
        first, second = word[length:], other[length:]
        if _is_ending(first, word[length - 1]) and _is_ending(second, word[length - 1]):
            return True
    return False


def _is_ending(rest: str, last: str) -> bool:
    """Say whether this ends a word, the consonant before it perhaps doubled: enrol-led."""
    return rest in _ENDINGS or (rest[:1] == last and rest[1:] in ("ed", "ing", "er", "ers"))
