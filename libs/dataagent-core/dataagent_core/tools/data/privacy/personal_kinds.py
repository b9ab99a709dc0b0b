"""Detects personal columns by their names, in English or Chinese, or by their values.

Names are matched by whole words: `email_sent_count` is not personal, `user_email` is. Values count
if most of a sample is of one kind (`language/personal_text.py`).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from dataagent_core.config.limits import PRIVACY_NAMES_MAX
from dataagent_core.language.personal_text import find_personal_texts
from dataagent_core.language.word_split import split_words

_SHARE_MIN: Final = 0.6
_VALUES_MIN: Final = 3

# The words a name must hold (all words of one string), by the kind they mean.
_NAME_WORDS: tuple[tuple[frozenset[str], str], ...] = tuple(
    (frozenset(words.split()), kind)
    for kind, lines in {
        "email": ("email", "emails", "e mail", "mail", "mails", "mailbox"),
        "phone": (
            "phone", "phones", "telephone", "tel", "mobile", "mobiles", "cellphone", "phonenumber",
            "cell number", "fax", "msisdn",
        ),
        "id number": (
            "ssn", "social security", "passport", "national id", "id card", "idcard",
            "identity card", "tax id",
        ),
        "account": ("iban", "bank account", "wechat", "weixin", "whatsapp"),
        "card": ("card number", "card no", "card num", "cardno", "cardnumber", "credit card"),
        "name": (
            "first name", "last name", "middle name", "full name", "family name", "given name",
            "maiden name", "firstname", "lastname", "fullname", "surname", "username", "nickname",
            "customer name", "user name", "contact name", "client name", "patient name",
            "employee name", "person name", "member name", "student name", "guest name",
            "passenger name", "buyer name", "recipient name", "cardholder",
        ),
        "birth date": ("birthday", "birth", "birthdate", "dob"),
        "address": ("street", "address", "addresses", "addr", "ip addr", "ipaddress", "ip"),
        "secret": ("password", "passwd", "pwd", "secret", "token"),
    }.items()
    for words in lines
)  # fmt: skip
# With one of these words, a column is about a personal value, not the value itself.
_METADATA_WORDS = frozenset(
    {"count", "counts", "sent", "opened", "clicked", "verified", "valid", "has", "is", "at", "type"}
    | {"status", "domain", "template", "campaign", "model", "brand", "country", "rate"}
)
_CHINESE_NAMES = {
    "邮箱": "email",
    "电子邮件": "email",
    "手机": "phone",
    "电话": "phone",
    "联系方式": "phone",
    "身份证": "id number",
    "护照": "id number",
    "证件号": "id number",
    "姓名": "name",
    "名字": "name",
    "用户名": "name",
    "昵称": "name",
    "微信": "account",
    "客户名": "name",
    "联系人": "name",
    "住址": "address",
    "地址": "address",
    "生日": "birth date",
    "出生": "birth date",
    "银行卡": "card",
    "卡号": "card",
    "账号": "account",
    "密码": "secret",
}


@lru_cache(maxsize=PRIVACY_NAMES_MAX)
def detect_name_kind(column: str) -> str | None:
    """Return the personal kind that a column's name means, if any."""
    for part, kind in _CHINESE_NAMES.items():
        if part in column:
            return kind
    words = set(split_words(column))
    if words & _METADATA_WORDS:
        return None
    return next((kind for wanted, kind in _NAME_WORDS if wanted <= words), None)


def detect_values_kind(values: Sequence[object]) -> str | None:
    """Return the personal kind of most values of a sample, if any."""
    texts = [str(value) for value in values if value is not None and not isinstance(value, bool)]
    if len(texts) < _VALUES_MIN:
        return None
    kinds = [detect_text_kind(text) for text in texts]
    for kind in dict.fromkeys(kind for kind in kinds if kind):
        if kinds.count(kind) >= _SHARE_MIN * len(texts):
            return kind
    return None


def detect_text_kind(text: str) -> str | None:
    """Return the kind of a text that is a personal value as a whole."""
    stripped = text.strip()
    return next((kind for kind, found in find_personal_texts(stripped) if found == stripped), None)
