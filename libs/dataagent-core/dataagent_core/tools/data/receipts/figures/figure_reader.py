"""Reads the figures of an answer: Markdown, English or Chinese.

A figure is a number that says something: `1,234,567`, `1 234 567`, `1'234`, `-3.5`, a real minus,
`(1,234)`, `1.2e6`, `1.2*10^6`, `12.3%`, `百分之12.3`, `3 个百分点`, `¥1.2万`, `3亿2000万`, `$1.5M`,
`1.5 billion`, `2.5x`, `2.5 倍`, full-width digits, and Chinese numerals that name a hundred or
more (三百二十万). In a range (`10-12%`) the first number takes the unit of the second.

No figures: what `digit_masks.py` blanks (dates, times, ordinals, numbering, ids, code, what a
question sets), and digits inside a word (Q3, H2, utf8, COVID-19).

Doubtful (`Figure.doubtful`): a bare whole number that reads as a year, and a bare whole number up
to 12 in a sentence ("3 regions stand out") or of a span ("for 90 days"), unless the sentence says
that something is that many.
In a table's cell or right after a colon neither is doubtful except as a year.
"""

import re
from decimal import Decimal, InvalidOperation

from dataagent_core.config.limits.data import RECEIPT_FIGURES_MAX, RECEIPT_TEXT_CHARS_MAX
from dataagent_core.tools.data.receipts.figures.chinese_numerals import NUMERAL, parse_numeral
from dataagent_core.tools.data.receipts.figures.digit_masks import blank_non_figures
from dataagent_core.tools.data.receipts.figures.figure import Figure, FigureKind
from dataagent_core.tools.data.receipts.figures.text_folds import narrow_text
from dataagent_core.tools.data.receipts.figures.units import read_unit_behind

_DIGITS = (
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?"
    r"|\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?"  # lakh and crore
    r"|\d{1,3}(?:[\u00a0\u2009\u202f']\d{3})+(?:[.,]\d{1,2}(?!\d)|\.\d+)?"
    r"|\d{1,3}(?:\u2019\d{3})+(?:\.\d+)?"
    r"|\d{1,3}(?: \d{3}){2,}(?:[.,]\d{1,2}(?!\d))?"
    r"|\d{1,3}(?:\.\d{3})+,\d{1,2}"
    r"|\d+(?:\.\d+)?|\.\d+)"
)
_SCALES: dict[str, int] = {
    "百": 2, "千": 3, "万": 4, "十万": 5, "百万": 6, "千万": 7, "亿": 8, "十亿": 9, "百亿": 10,
    "千亿": 11, "万亿": 12, "k": 3, "thousand": 3, "m": 6, "mn": 6, "mio": 6, "mm": 6, "million": 6,
    "b": 9, "bn": 9, "billion": 9, "tn": 12, "t": 12, "trillion": 12, "lakh": 5, "crore": 7,
}  # fmt: skip
_CHINESE_SCALE = r"(?:万亿|[十百千]?亿|[十百千]?万|千(?![克米瓦卡]))"
# One letter is a scale only right behind the digits; `t` and `mm` are also tonnes and millimetres.
_SCALE = (
    rf"(?:\s?(?P<zh>{_CHINESE_SCALE})"
    r"|\s?(?P<word>thousand|million|billion|trillion|lakh|crore|bn|mn|tn|mio)s?\b"
    r"|(?P<letter>[kKmMbB]|T(?=\b))(?![A-Za-z]))"
)
_PERCENT = (
    r"(?:\s?(?P<points>个百分点|percentage points?\b"
    r"|points?(?= (?:above|below|higher|lower|more|less|ahead|behind|better|worse|apart)\b)"
    r"|pp\b|p\.p\.|ppts?\b)"
    r"|\s?(?P<percent>%|percent\b|per cent\b|pct\b)"
    r"|(?P<times>\s?倍|x\b|\u00d7(?!\s*\d)|\stimes\b))"
)
_MONEY = r"(?:US\$|HK\$|R\$|A\$|C\$|[$€£\u00a5₹₩]|(?:USD|EUR|CNY|RMB|GBP|JPY)\s?)"
_NUMBER = re.compile(
    rf"(?P<open>\()?(?P<hundredths>百分之)?(?P<sign>[-\u2212\u2013+](?=[\d.$€£\u00a5₹]))?(?P<money>{_MONEY}\s?)?"
    rf"(?P<inner>[-\u2212](?=[\d.]))?(?P<digits>{_DIGITS})"
    r"(?:[eE](?P<exponent>[+-]?\d{1,3})(?!\d)|\s?[\u00d7x*]\s?10(?:\^|\*\*)(?P<power>[+-]?\d{1,3}))?"
    rf"(?:{_SCALE})?(?:{_PERCENT})?(?P<close>\))?",
)
_MORE = re.compile(rf"(?P<digits>{_DIGITS})(?P<zh>{_CHINESE_SCALE})?")
_RANGE = re.compile(r"\s?(?:[-\u2212\u2013\u2014~\uff5e]|to|至|到|or|and)\s?\Z")
_WORD_BEFORE = re.compile(r"[A-Za-z_\\]$|[A-Za-z][-_.]$|\d[.,']$|\d$")
_WORD_AFTER = re.compile(r"[A-Za-z_]|-[A-Za-z]|[.,]?\d")
_UNIT_AFTER = re.compile(
    r"(?:[kKMGTP]i?[bB]|[nuµm]?s|secs?|mins?|hrs?|h|d|kg|g|mg|t|km|cm|mm|m|kW|kWh|MWh|GWh|pcs|pts|"
    r"USD|EUR|CNY|RMB|GBP|JPY|bps)(?![A-Za-z0-9_])"
)
_CODE_LIKE = re.compile(r"0\d+")
_YEARS = range(1900, 2100)
_SMALL = 12
_SAYS_HOW_MANY = re.compile(
    r"(?:\b(?:is|are|was|were|has|have|had|total(?:s|ed|led)?|count|of|equals?|sold|only|just)"
    r"|[=:是为有共达仅约计卖])\s*[*_`]*\s?$",
    re.IGNORECASE,
)
_STRUCTURE = re.compile(
    r"\s*[*_`]*\s?(?:\w+\s)?(?:reasons?|points?|steps?|parts?|ways?|things?|options?|questions?|"
    r"observations?|takeaways?|insights?|findings?|suggestions?|recommendations?|sections?|"
    r"queries|tables?|charts?|columns?|decimals?|days?|weeks?|months?|quarters?|years?|hours?"
    r"|个?(?:方面|要点|步骤?|建议|原因|问题|结论|观察|部分|阶段|表|图|维度|小时|月|季度)|[点步天周年])",
    re.IGNORECASE,
)
_SPAN_AFTER = re.compile(
    r"[\s-]?(?:second|minute|hour|day|week|month|quarter|year)s?\b|\s?个?(?:小时|分钟|天|周|月|年)",
    re.IGNORECASE,
)
_CELL_BEFORE = re.compile(r"\|[\s*_`]*$")
_CELL_AFTER = re.compile(r"[\s*_`]*\|")


def read_figures(text: str) -> list[Figure]:
    """List the figures of a text in their order, up to a limit."""
    plain = blank_non_figures(narrow_text(text[:RECEIPT_TEXT_CHARS_MAX]))
    found: list[Figure] = []
    position = 0
    while len(found) < RECEIPT_FIGURES_MAX:
        match = _NUMBER.search(plain, position)
        if match is None:
            break
        position = max(match.end("digits"), match.start() + 1)
        figure = _read_figure(text, plain, match)
        if figure is None:
            continue
        if found:
            found[-1] = _apply_range_unit(plain, found[-1], figure)
        found.append(figure)
        position = figure.end
    return sorted([*found, *_read_numerals(text, plain)], key=lambda figure: figure.start)[
        :RECEIPT_FIGURES_MAX
    ]


def _read_figure(text: str, plain: str, match: re.Match[str]) -> Figure | None:
    first = match.start("money") if match["money"] else match.start("digits")
    sign = match["sign"] or match["inner"] or ""
    start = match.start("sign") if match["sign"] else first
    before = plain[max(0, start - 2) : start]
    if match["sign"] and re.search(r"[\w)%]$", before):
        # "10-20" and "A - 5": a range or a dash, no minus.
        sign, start, before = match["inner"] or "", first, plain[max(0, first - 2) : first]
        if re.search(r"[A-Za-z][-\u2013]$", before):
            return None
    elif _WORD_BEFORE.search(before) and not _follows_acronym(plain, start, match):
        return None
    if _CODE_LIKE.fullmatch(match["digits"]):
        return None  # 007 numbers something
    try:
        value, step, digits = _read_value(match)
    except InvalidOperation:
        return None
    scale = Decimal(10) ** _read_exponent(match)
    value, step = value * scale, step * scale
    end = _find_end(match)
    if match["zh"] and end == match.end("zh"):
        value, step, end = _read_compound(plain, end, match, value, step)
    unit = _UNIT_AFTER.match(plain, end)
    if unit is None and _WORD_AFTER.match(plain, end) and not re.match(r"-[A-Za-z]", plain[end:]):
        return None
    if sign in ("-", "\u2212", "\u2013"):
        value = -value
    in_parentheses = bool(match["open"]) and plain[end : end + 1] == ")"
    if match["hundredths"]:
        start = match.start("hundredths")
    kind: FigureKind = (
        "points" if match["points"] else
        "percent" if match["percent"] or match["hundredths"] else
        "ratio" if match["times"] else
        "number"
    )  # fmt: skip
    bare = kind == "number" and scale == 1 and not match["money"] and unit is None and not sign
    return Figure(
        text=text[start:end],
        start=start,
        end=end,
        value=value,
        step=step,
        scale=scale,
        digits=digits,
        kind=kind,
        unit=read_unit_behind(plain, end),
        sign_free=in_parentheses,
        doubtful=bare and _is_doubtful(plain, start, end, match["digits"], value),
    )


def _follows_acronym(plain: str, start: int, match: re.Match[str]) -> bool:
    """Say whether a Chinese amount stands right behind a name in capitals: GMV2.48亿."""
    return (
        bool(match["zh"]) and re.search(r"(?<![A-Za-z0-9_])[A-Z]{2,6}\Z", plain[:start]) is not None
    )


def _find_end(match: re.Match[str]) -> int:
    ends = ("digits", "exponent", "power", "zh", "word", "letter", "points", "percent", "times")
    return max(match.end(name) for name in ends)


def _read_value(match: re.Match[str]) -> tuple[Decimal, Decimal, int]:
    """Read the printed digits: their value, one of the last of them, how many are significant."""
    printed = match["digits"]
    digits = re.sub(r"[\s'\u2019\u00a0\u2009\u202f]", "", printed)
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d{1,2}", digits) or (
        "," in digits and not re.search(r",\d{3}", digits)
    ):
        digits = digits.replace(".", "").replace(",", ".")
    digits = digits.replace(",", "")
    value = Decimal(digits)
    exponent = value.as_tuple().exponent
    significant = digits.replace(".", "").lstrip("0")
    return value, Decimal(1).scaleb(int(exponent)), max(1, len(significant))


def _read_exponent(match: re.Match[str]) -> int:
    exponent = int(match["exponent"] or match["power"] or 0)
    scale = match["zh"] or match["word"] or match["letter"]
    return exponent + (_SCALES[scale.lower()] if scale else 0)


def _read_compound(
    plain: str, end: int, match: re.Match[str], value: Decimal, step: Decimal
) -> tuple[Decimal, Decimal, int]:
    """Read smaller units that follow directly: 3亿2000万."""
    scale = _SCALES[match["zh"]]
    while scale and (more := _MORE.match(plain, end)) is not None and "." not in more["digits"]:
        below = _SCALES[more["zh"]] if more["zh"] else 0
        part = Decimal(more["digits"].replace(",", "")).scaleb(below)
        if below >= scale or part >= Decimal(10) ** scale:
            break
        value, step, end, scale = value + part, Decimal(10) ** below, more.end(), below
    return value, step, end


def _apply_range_unit(plain: str, before: Figure, figure: Figure) -> Figure:
    """Apply the unit of a range's second number to its first."""
    between = plain[before.end : figure.start]
    bare = before.kind == "number" and before.scale == 1
    same = figure.kind == "number" and figure.scale == 1
    if not bare or same or not _RANGE.match(between) or re.match(r"\s?(?:and|or)", between):
        return before
    return Figure(
        text=before.text,
        start=before.start,
        end=before.end,
        value=before.value * figure.scale,
        step=before.step * figure.scale,
        scale=figure.scale,
        digits=before.digits,
        kind=figure.kind,
        sign_free=before.sign_free,
    )


def _is_doubtful(plain: str, start: int, end: int, digits: str, value: Decimal) -> bool:
    if not digits.isdigit():
        return False
    if len(digits) == len("2024") and int(value) in _YEARS:
        return True
    before, after = plain[max(0, start - 24) : start], plain[end : end + 40]
    if _CELL_BEFORE.search(before) or _CELL_AFTER.match(after):
        return False
    says_how_many = _SAYS_HOW_MANY.search(before) is not None
    if _SPAN_AFTER.match(after) and not says_how_many:
        return True  # "for 90 days" is mostly what was asked for
    return value <= _SMALL and (bool(_STRUCTURE.match(after)) or not says_how_many)


def _read_numerals(text: str, plain: str) -> list[Figure]:
    return [
        Figure(
            text=text[found.start() : found.end()],
            start=found.start(),
            end=found.end(),
            value=value,
            step=step,
            digits=max(1, len((value / step).to_integral_value().as_tuple().digits)),
        )
        for found in NUMERAL.finditer(plain)
        if (read := parse_numeral(found[0])) is not None
        for value, step in [read]
    ]
