"""Blanks digits that are not figures, and keeps the positions of all other characters.

In this order: fenced code, inline code that is more than a number, links, addresses and paths,
citations and ids, dates and times, versions, phone numbers, error codes, levels of confidence,
round-the-clock spans, ages, ordinals, numbered lists and headings,
references ("table 2", "step 4", 表1), and what a question sets rather than what data says ("top
10", "last 30 days", 前5名). What is blanked becomes U+FFFC, so that neighbours do not grow
together.
"""

import re

BLANK = "\ufffc"

_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?:1[89]|20)\d\d"
_CLOCK = r"(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)"
_DAY = r"[0-3]?\d(?:st|nd|rd|th)?"
# No digit, and no separator between digits, before or after.
_OPEN = r"(?<!\d)(?<!\d[.,])"
_SHUT = r"(?![\d]|[.,]\d)"

_CODE = re.compile(r"^(?P<f>```+|~~~+)[^\n]*\n.*?(?:^(?P=f)[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?P<t>`+)(?P<code>[^`\n]+)(?P=t)")
_ONLY_A_NUMBER = re.compile(
    r"[\s$€£¥+\-\u2212(]*\d[\d,.\s']*\d?\s*(?:%|[kKmMbB]|万|亿|元)?[)\s]*\Z"
)

_REFERENCES = (
    r"section|chapter|page|figure|fig\.|table|step|row|line|column|part|appendix|question|item|"
    r"option|level|phase|tier|chart|rank(?:ed)?|port|http|week"
)
_LIMITS = "top|bottom|first|last|past|previous|next|recent|trailing|every|within"
# What may follow a year, and would not follow a number of things.
_NOTHING_COUNTED = (
    r"(?=\s*(?:$|[,.;:!?)\n*\ufffc]|(?:was|were|is|are|and|to|the|we|it|by|than)\b"
    r"|(?-i:[A-Z\u4e00-\u9fff])))"
)
_SPANS = "day|week|month|quarter|year|hour|minute"
_COUNTED = "名|个|位|天|日|周|月|年|季|条|大|小时|家|款|项|行|分钟"

_DIALLED = r"\b(?:tel|fax|hotline|dial|call(?: us)?(?: at| on)?)\b\.?|热线|拨打|致电|传真"
_PHONES = r"\b(?:phone|mobile|cell|whatsapp)(?: number)?\b|电话|手机|联系方式"
_FAILURES = (
    r"\b(?:error(?: code)?|status code|exit (?:code|status)|errno|sqlstate)\b"
    r"|\b(?:http )?status(?=\s[1-5]\d\d\b)|错误代?码?|状态码|返回码|退出码"
)
_SURE = r"confidence|\bCI\b|credible|significance|significant at|置信|显著性?水平"
# Spans that people speak of without having measured anything.
_ROUND_THE_CLOCK = re.compile(
    rf"{_OPEN}(?:24|48|72)(?:[\s-]?(?:hours?|hrs?)\b|\s?个?小时)"
    rf"|{_OPEN}(?:7 days a week|365 days a year)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"average|avg|mean|median|took|takes?|lasted|longest|shortest|max|min|duration|\btime\b"
    r"|平均|耗时|用时|时长|历时|中位|最[长短]",
    re.IGNORECASE,
)
_CLAUSE_CHARS = 60

_PATTERNS = [
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        # Links, addresses, paths, placeholders.
        r"\]\([^)\n]*\)",
        r"\b[a-z][a-z0-9+.-]*://\S+",
        r"\bwww\.\S+",
        r"\b[\w.+-]+@[\w-]+\.[\w.]+",
        r"(?<![\w/])(?:\.{0,2}/)(?:[\w.@-]+/)+[\w.@-]*",
        r"\b[\w-]+\.(?:csv|tsv|json|parquet|xlsx?|duckdb|db|sqlite|sql|py|md|html|pdf|png|svg)\b",
        r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b",
        # Citations, ids, hashes.
        r"\[r_[0-9a-f]{12}[^\]\n]*\]",
        r"\br_[0-9a-f]{12}\b",
        r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b",
        r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)(?![0-9]+e\d+\b)[0-9a-f]{7,}\b",
        r"\b(?:id|no|ref|sku|code|ticket|order)\s?[#:]\s?[\w-]*\d[\w-]*",
        r"\b(?:id|sku|zip|postcode|room)\s?(?:=|is|为|是)?\s?\d+\b(?![.,]\d|\s?%)",
        r"(?:编号|编码|工号|单号|邮编|房间号?)\s?[:为是]?\s?\d+(?![\d.,]*\d|\s?[%万亿])",
        # Dates and times.
        rf"{_OPEN}{_YEAR}[-/.][01]?\d[-/.][0-3]?\d{_CLOCK}?{_SHUT}",
        rf"{_OPEN}[0-3]?\d[-/.][0-3]?\d[-/.]{_YEAR}{_SHUT}",
        rf"{_OPEN}{_YEAR}[-/](?:0[1-9]|1[0-2])(?![\d/-])",
        rf"{_OPEN}(?:{_YEAR}|\d\d)\s?年(?:度)?(?:\s?[01]?\d\s?月(?:份)?)?(?:\s?[0-3]?\d\s?[日号])?",
        rf"{_OPEN}[01]?\d\s?月(?:份)?\s?[0-3]?\d\s?[日号]",
        rf"{_OPEN}(?:1[0-2]|0?[1-9])\s?月(?:份)?(?!个)",
        rf"\b{_MONTHS}\s+{_DAY}(?:\s*[-\u2013]\s*{_DAY})?,?\s+{_YEAR}\b",
        rf"\b{_DAY}\s+{_MONTHS}(?:,?\s+{_YEAR})?\b",
        rf"\b{_MONTHS},?\s+{_YEAR}\b",
        rf"\b{_MONTHS}\s+{_DAY}\b(?![,.]?\d)(?!\s*(?:%|percent|万|亿))",
        rf"\b(?:[QH][1-4]|FY|CY|W\d\d?)[\s'-]*(?:{_YEAR}|\d\d)?\b",
        rf"\b{_YEAR}[\s-]?[QHW]\d\d?\b",
        rf"{_OPEN}{_YEAR}\s?[-\u2013\u2014~至到/]\s?(?:{_YEAR}|\d\d)(?!\d|[.,]\d|%)",
        rf"\b{_YEAR}s\b",
        # "in 2025", but not "in 2025 orders": what is counted is named right after the number.
        rf"\b(?:in|since|until|during|throughout|year)\s+{_YEAR}\b{_NOTHING_COUNTED}",
        rf"{_OPEN}(?<!:)[0-2]?\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:\s?[ap]\.?m\b\.?)?(?![\d:])",
        rf"{_OPEN}(?:1[0-2]|0?[1-9])\s?[ap]\.?m\b\.?",
        rf"{_OPEN}[0-2]?\d\s?[点时](?:\s?[0-5]?\d\s?分)?(?!间|长|差)",
        rf"{_OPEN}(?<!/)[0-3]?\d/[0-3]?\d(?![\d/]|\.\d|%)",
        # Versions and phone numbers.
        r"\bv\.?\s?\d+(?:\.\d+)*\b",
        r"\b(?:version|release|python|版本)\s*\d+(?:\.\d+)*\b",
        rf"{_OPEN}\d+\.\d+\.\d+(?:\.\d+)*(?![\d]|,\d)",
        r"(?<!\w)\+\d{1,3}[\s-]?\(?\d{2,4}\)?(?:[\s-]?\d{3,4}){2,3}\b",
        _OPEN + r"\(?\d{3}\)?[\s-]\d{3,4}-\d{4}(?!\d)",
        _OPEN + r"1[3-9]\d[\s-]?\d{4}[\s-]?\d{4}(?![\d]|[.,]\d)",
        _OPEN + r"\(?0\d{2,3}\)?[\s-]\d{3,4}[\s-]?\d{4}(?!\d)",
        _OPEN + r"\d{3}-0\d{3}(?!\d)",
        # A name for a channel ("Mobile: 12345") is no phone number unless it is written as one.
        rf"(?:{_DIALLED})\s?[:为]?\s?\+?\(?\d[\d\s().-]{{3,}}\d(?!\d)",
        rf"(?:{_PHONES})\s?[:为]?\s?\+?\(?\d{{2,4}}\)?(?:[\s.-]\d{{3,4}}){{1,3}}(?!\d)",
        # What went wrong, and how sure somebody is.
        rf"(?:{_FAILURES})\s?[:=#为]?\s?\d{{1,5}}(?![\d.,]*\d|\s?(?:%|percent|[次个条起笔万亿]))",
        rf"{_OPEN}\d+(?:\.\d+)?\s?(?:%|percent|per cent)\s*[-\s]?(?:{_SURE})",
        rf"(?:{_SURE})[^\d\n.。]{{0,12}}\d+(?:\.\d+)?\s?(?:%|percent|per cent)",
        rf"{_OPEN}\d+(?:\.\d+)?\s?(?:%|percent|per cent)\s(?:prediction )?intervals?\b",
        r"\bp\s?[<\u2264]\s?0?\.\d+",
        # Ordinals, numbering, references.
        rf"{_OPEN}\d+(?:st|nd|rd|th)\b",
        r"第\s?[\d一二三四五六七八九十百千]+(?:\s?[-~至到]\s?\d+)?",
        r"(?:\bno\.\s?|№\s?|#)\d+\b",
        r"^[ \t>]*(?:[-*+][ \t]+)?(?:\*\*)?\(?\d{1,3}(?:\.\d{1,3})*[.)、](?=[ \t*]|$|(?<=、))",
        r"^[ \t]*#{1,6}[ \t]+\d+(?:\.\d+)*[.)、]?(?=[ \t])",
        r"[\u2460-\u2473]",
        rf"\b(?:{_REFERENCES})\s+#?\d+(?:\.\d+)*\b",
        r"(?<![\u4e00-\u9fff])(?:图表|表格|[表图]|步骤|章节|附录|排名|方案|选项|问题)\s?\d+(?:\.\d+)*(?![\d万亿%.,])",
        # What the question sets.
        rf"\b(?:{_LIMITS})[\s-]+\d+\b(?!\s?(?:%|percent)|[.,]\d)(?:[\s-]?(?:{_SPANS})s?\b)?",
        rf"\b\d+[\s-](?:{_SPANS}|step|point|way|column|row)\b(?!s)",
        rf"(?:前|后|近|最近|过去|未来|最后|头|每)\s?\d+\s?(?:{_COUNTED})?(?:月|季度)?(?![\d.,%万亿])",
        r"(?-i:\bLIMIT)\s+\d+\b|\b(?:max_rows|timeout_s)\s?=\s?[\d.]+",
        r"\b(?:age[sd]?|aged between)\s+\d+\s?(?:[-\u2013]|to|and)\s?\d+\b",
        r"\b\d+\s?[-\u2013]\s?\d+[\s-](?:age\b|year[- ]olds?\b)|\b\d+[- ]year[- ]olds?\b",
        _OPEN + r"\d+(?:\s?[-\u2013~至到]\s?\d+)?\s?岁(?:以[上下])?",
        r"\b24/7\b|\b\d+-bit\b|\bUTF-\d+\b|\bISO[ -]?\d+(?:-\d+)*\b",
    )
]


def blank_non_figures(text: str) -> str:
    """Return a text of the same length in which only figures are left of all digits."""
    text = _CODE.sub(_blank_match, text)
    text = _INLINE.sub(_blank_inline, text)
    for pattern in _PATTERNS:
        text = pattern.sub(_blank_match, text)
    return _ROUND_THE_CLOCK.sub(_blank_span, text)


def _blank_match(found: re.Match[str]) -> str:
    # Line ends stay: tables and lists are read by line.
    return re.sub(r"[^\n]", BLANK, found[0])


def _blank_span(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - _CLAUSE_CHARS) : found.start()]
    clause = re.split(r"[.;!?。\n|]", before)[-1]
    return found[0] if _MEASURED.search(clause) else _blank_match(found)


def _blank_inline(found: re.Match[str]) -> str:
    return found[0] if _ONLY_A_NUMBER.match(found["code"]) else _blank_match(found)
