"""Media types, character sets and control characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.tools.web.response_text import decode_body, is_text, parse_media_type


@pytest.mark.parametrize(
    ("content_type", "read"),
    [
        ("text/html; charset=utf-8", True),
        ("TEXT/Plain", True),
        ("application/json", True),
        ("application/vnd.api+json", True),
        ("application/rss+xml", True),
        ("image/svg+xml", True),
        ("", True),
        ("image/png", False),
        ("application/octet-stream", False),
        ("application/pdf", False),
        ("video/mp4", False),
    ],
)
def test_only_text_is_read(content_type: str, read: bool) -> None:
    assert is_text(parse_media_type(content_type)) is read


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("grün".encode("latin-1"), "text/plain; charset=ISO-8859-1"),
        ("grün".encode("latin-1"), "text/plain"),
        ("grün".encode("latin-1"), "text/plain; charset=no-such-charset"),
        ("grün".encode(), "text/plain; charset=punycode"),
        ("grün".encode(), 'text/plain; charset="utf-8"'),
        ("grün".encode("utf-16"), "text/plain; charset=utf-8"),
        ("\ufeffgrün".encode(), "text/plain"),
        ("grün".encode("cp1252"), "text/plain; charset=windows-1252"),
    ],
)
def test_text_is_read_whatever_it_says_about_itself(body: bytes, content_type: str) -> None:
    assert decode_body(body, content_type) == "grün"


def test_a_meta_tag_can_name_the_character_set() -> None:
    page = '<meta charset="gbk"><p>数据'.encode("gbk")
    assert "数据" in decode_body(page, "text/html")


def test_a_character_cut_at_the_end_does_not_change_the_character_set() -> None:
    assert decode_body("grün grün €".encode()[:-1], "text/plain").startswith("grün grün")


def test_null_bytes_and_escapes_do_not_survive() -> None:
    assert decode_body(b"a\x00b\x1b[2Jc\td\r\n", "text/plain") == "a\ufffdb\ufffd[2Jc\td\r\n"


@given(st.binary(max_size=200), st.text(max_size=60))
def test_decoding_never_fails(body: bytes, content_type: str) -> None:
    decode_body(body, content_type).encode("utf-8", "surrogatepass")
