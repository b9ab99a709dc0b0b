"""What kind of thing an answer is, and its text: media types, character sets, control characters.

Only text is read. XML is text here too and is never parsed, so it has no entities to explode.
"""

import codecs
import re

_TEXT_TYPES = frozenset(
    {
        "application/json",
        "application/ld+json",
        "application/xml",
        "application/xhtml+xml",
        "application/javascript",
        "application/ecmascript",
        "application/yaml",
        "application/x-yaml",
        "application/toml",
        "application/x-ndjson",
        "application/x-www-form-urlencoded",
        "application/sql",
        "application/graphql",
        "application/problem+json",
    }
)
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})

# Python's codecs also hold zlib, punycode, idna and the like, which no page may choose.
_CHARSETS = re.compile(
    r"(utf[-_]?(8|16|32)([-_]?[bl]e)?|(us[-_]?)?ascii|iso[-_]?8859[-_]?\d{1,2}|latin[-_]?\d|"
    r"(windows|cp)[-_]?\d{3,4}|gb(2312|k|18030)|big5([-_]?hkscs)?|shift[-_]jis|sjis|"
    r"euc[-_](jp|kr|cn)|iso[-_]?2022[-_](jp|kr)|koi8[-_][ru]|tis[-_]620|mac[-_]?roman)",
    re.IGNORECASE,
)
_CHARSET_PARAMETER = re.compile(r"""charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_META_SEARCHED_BYTES = 2_048
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def parse_media_type(content_type: str) -> str:
    """Give `text/html` of `Text/HTML; charset=x`; what says nothing is taken for plain text."""
    return content_type.partition(";")[0].strip().lower() or "text/plain"


def is_text(media: str) -> bool:
    """Say whether an answer of this type is read at all."""
    return media.startswith("text/") or media in _TEXT_TYPES or media.endswith(("+json", "+xml"))


def decode_body(body: bytes, content_type: str) -> str:
    """Decode a body by its mark, its header, its meta tag, or as UTF-8; never fails."""
    for bom, charset in _BOMS:
        if body.startswith(bom):
            return replace_controls(body.decode(charset, "replace"))
    for charset in _list_stated_charsets(body, content_type):
        return replace_controls(body.decode(charset, "replace"))
    try:
        return replace_controls(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        # A character cut at the very end is no sign of another character set.
        cut_short = error.reason == "unexpected end of data"
        return replace_controls(body.decode("utf-8" if cut_short else "windows-1252", "replace"))


def _list_stated_charsets(body: bytes, content_type: str) -> list[str]:
    said = [_CHARSET_PARAMETER.search(content_type)]
    if parse_media_type(content_type) in HTML_TYPES:
        start = body[:_META_SEARCHED_BYTES].decode("ascii", "replace")
        said.append(_CHARSET_PARAMETER.search(start))
    names = [match[1] for match in said if match and _CHARSETS.fullmatch(match[1])]
    return [name for name in names if _known(name)]


def _known(charset: str) -> bool:
    try:
        codecs.lookup(charset)
    except LookupError:
        return False
    return True


def replace_controls(text: str) -> str:
    """Replace what steers a terminal or ends a string early."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text.lstrip("\N{ZERO WIDTH NO-BREAK SPACE}"))
