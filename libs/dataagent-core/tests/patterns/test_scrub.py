"""No secret and no personal value survives, whatever stands around it."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.language.personal_text import passes_luhn
from dataagent_core.patterns.pattern_text import make_pattern_text
from dataagent_core.patterns.scrub import scrub
from tests.counts import examples

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SIGNS = _LETTERS + _LETTERS.upper() + "0123456789"


def _digits(rng: random.Random, count: int) -> str:
    return "".join(rng.choice("0123456789") for _ in range(count))


def _signs(rng: random.Random, count: int, of: str = _SIGNS) -> str:
    return "".join(rng.choice(of) for _ in range(count))


def _email(rng: random.Random) -> str:
    return f"{_signs(rng, 6, _LETTERS)}.{_signs(rng, 4, _LETTERS)}@{_signs(rng, 5, _LETTERS)}.com"


def _chinese_mobile(rng: random.Random) -> str:
    number = f"1{rng.choice('3456789')}{_digits(rng, 9)}"
    return rng.choice([number, f"+86 {number}", f"{number[:3]}-{number[3:7]}-{number[7:]}"])


def _phone(rng: random.Random) -> str:
    return f"+{rng.randint(1, 99)} {_digits(rng, 3)} {_digits(rng, 3)} {_digits(rng, 4)}"


def _chinese_id(rng: random.Random) -> str:
    body = (
        f"110101{rng.randint(1950, 2005)}0{rng.randint(1, 9)}1{rng.randint(0, 9)}{_digits(rng, 3)}"
    )
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(digit) * weight for digit, weight in zip(body, weights, strict=True))
    return body + "10X98765432"[total % 11]


def _card(rng: random.Random) -> str:
    numbers = (f"4{_digits(rng, 15)}" for _ in range(1_000))
    number = next(filter(passes_luhn, numbers))
    parts = [number[i : i + 4] for i in range(0, 16, 4)]
    return rng.choice([number, " ".join(parts), "-".join(parts)])


def _iban(rng: random.Random) -> str:
    body = _digits(rng, 18)
    written = f"DE{98 - int(f'{body}131400') % 97:02}{body}"
    spaced = " ".join(written[i : i + 4] for i in range(0, len(written), 4))
    return rng.choice([written, spaced])


def _spoken_password(rng: random.Random) -> str:
    said = rng.choice(["password is ", "密码是", "密码:", "password: ", "口令为 "])
    return f"{said}{_signs(rng, 9)}"


MAKERS: dict[str, Callable[[random.Random], str]] = {
    "email": _email,
    "chinese mobile": _chinese_mobile,
    "phone": _phone,
    "chinese id": _chinese_id,
    "card": _card,
    "iban": _iban,
    "ipv4": lambda rng: ".".join(str(rng.randint(10, 255)) for _ in range(4)),
    "ipv6": lambda rng: ":".join(f"{rng.randint(4096, 65535):x}" for _ in range(8)),
    "api key": lambda rng: f"sk-{_signs(rng, 24)}",
    "token": lambda rng: f"ghp_{_signs(rng, 36)}",
    "jwt": lambda rng: f"eyJ{_signs(rng, 20)}.{_signs(rng, 30)}.{_signs(rng, 20)}",
    "password in a url": lambda rng: f"postgres://ada:{_signs(rng, 12)}@db.example/x",
    "spoken password": _spoken_password,
    "header": lambda rng: f"Authorization: Bearer {_signs(rng, 24)}",
}


def _hidden_part(kind: str, value: str) -> str:
    """What may not be read afterwards; the words around a password may."""
    match kind:
        case "password in a url":
            return value.partition("ada:")[2].partition("@")[0]
        case "spoken password" | "header":
            return value[-9:]
        case _:
            return value


@pytest.mark.requirement("S2-6.5.8-privacy")
@settings(max_examples=examples(200))
@given(
    kind=st.sampled_from(sorted(MAKERS)),
    seed=st.integers(0, 10**9),
    before=st.sampled_from(["", "call ", "客户是", "see (", "1. ", "a=", "x, "]),
    after=st.sampled_from(["", " now", "的订单", ").", ", 12", "!", "\n7"]),
    twice=st.booleans(),
)
def test_secrets_and_personal_data_never_survive(
    kind: str, seed: int, before: str, after: str, twice: bool
):
    value = MAKERS[kind](random.Random(seed))
    hidden = _hidden_part(kind, value)
    text = f"{before}{value}{after}"
    if twice:
        text = f"{text} and {text}"
    assert hidden not in scrub(text)
    assert hidden not in make_pattern_text(text)


@pytest.mark.requirement("S2-6.5.8-privacy")
@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("ring 13812345678 please", "13812345678"),
        ("ring 138\u200b1234\u200b5678 please", "12345678"),
        ("12 4111 1111 1111 1111 34", "1111"),
        ("card 4111.1111.1111.1111", "1111"),
        ("用户 ada@例子.公司 的订单", "ada@"),
        ("key AKIAIOSFODNN7EXAMPLE and wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "FEMI/K7"),
        ("my pin is 4711", "4711"),
        ("验证码:8842", "8842"),
        ("客户是sk-HwCylbYxwySojkYNiUGStGBn", "HwCyl"),
        ("密钥在token: abcdefgh", "abcdefgh"),
        ("请用bearer abcdefgh访问", "abcdefgh"),
        ("密码 hunter2abc", "hunter2"),
        ("密碼\uff1aabc!x", "abc"),
        ("驗證碼8842", "8842"),
        ("my password hunter2abc", "hunter2"),
        ("pin 4711, please", "4711"),
        ("密钥abcd1234efgh", "abcd1234"),
        ("PGPASSWORD=hunter2 psql", "hunter2"),
        ("export DB_PASSWORD='hunter two'", "hunter"),
        ("AccountKey=abc123==;EndpointSuffix=core", "abc123"),
        ("mysql -h db -u root -pS3cret shop", "S3cret"),
        ("mysqldump -pS3cret shop", "S3cret"),
        ("curl -u bob:hunter https://a.example", "hunter"),
        ("curl --user 'bob:hunter' https://a.example", "hunter"),
        ("deploy --token abcdef", "abcdef"),
        ("寄到北京市海淀区中关村大街27号3单元501室", "大街27号"),
        ("Ship to 221B Baker Street, London", "Baker"),
        ("车牌京A12345的保单", "A12345"),
        ("车牌沪A·D12345", "D12345"),
    ],
)
def test_disguises_do_not_help(text: str, hidden: str):
    assert hidden not in scrub(text)


@pytest.mark.parametrize(
    "text",
    [
        "Revenue by region since 2025-01-01",
        "compare the top 10 customers with 2024",
        "tokens per request, by model",
        "按地区统计收入并画图",
        "sort /reports/2025/revenue-by-region.csv by the column region_name",
        "reset the password of the test account",
        "count tokens = input_tokens + output_tokens",
        "mysql -h db -P 3306 shop",
        "mkdir -p out && tar -u out",
        "各门店第3季度的退货,按道路等级分组",
        "the top 5 Main Products of Q3",
        "密码策略的检查报告",
    ],
)
def test_what_a_task_is_about_stays(text: str):
    assert scrub(text) == text


@settings(max_examples=examples(200))
@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_stored_afterwards(text: str):
    clean = scrub(text, 50)
    clean.encode()
    assert len(clean) <= 50
    assert clean.isprintable()


@pytest.mark.parametrize(
    "part",
    ["1", "1 ", "a@", "a.", "://:", "::", "a" * 40, "1-", "token:", "\u0301", "\ufdfa", "不"],
)
def test_a_megabyte_is_read_at_both_ends(part: str):
    text = (part * 1_000_000)[:1_000_000]
    assert len(scrub(text)) <= 500
