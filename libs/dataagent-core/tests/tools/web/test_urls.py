"""Reading addresses: one spelling, no tricks."""

import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.tools.web.urls import format_url, is_same_origin, parse_url


@pytest.mark.parametrize(
    "text",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/_x",
        "javascript:alert(1)",
        "unix:///run/docker.sock",
        "example.com",
        "//example.com/",
        "http://",
        "http:///path",
        "http://exa mple.com/",
        "http://example.com/\r\nX: y",
        "http://example.com/\x00",
        "http://[::1",
        "http://exa%6dple.com/",
        "http://good.com\\@127.0.0.1/",
        "http://example.com:99999/",
        "",
    ],
)
def test_what_is_no_web_address_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        parse_url(text)


@pytest.mark.parametrize(
    "text",
    [
        "http://good@127.0.0.1/",
        "http://good.com:80@127.0.0.1/",
        "http://user:password@example.com/",
        "https://good.com%40evil.com@127.0.0.1/",
    ],
)
def test_an_address_with_a_user_name_is_refused_without_repeating_the_password(text: str) -> None:
    with pytest.raises(ValidationError, match="Authorization") as refused:
        parse_url(text)
    assert "password@" not in str(refused.value)


def test_an_address_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValidationError, match="characters"):
        parse_url("http://example.com/" + "a" * 10_000)


def test_a_look_alike_name_is_shown_as_punycode() -> None:
    assert (
        format_url(parse_url("https://\N{CYRILLIC SMALL LETTER A}pple.com/é"))
        == "https://xn--pple-43d.com/%C3%A9"
    )


def test_the_fragment_is_left_off() -> None:
    assert format_url(parse_url("https://Example.com/a#secret")) == "https://example.com/a"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://a.example/x", "https://a.example/y", True),
        ("https://a.example/", "https://A.example.:443/", True),
        ("http://a.example/", "https://a.example/", True),
        ("https://a.example/", "http://a.example/", False),
        ("https://a.example/", "https://a.example:8443/", False),
        ("https://a.example/", "https://b.example/", False),
        ("https://a.example/", "https://x.a.example/", False),
    ],
)
def test_only_the_same_host_or_its_step_up_to_https_is_the_same_origin(
    one: str, other: str, same: bool
) -> None:
    assert is_same_origin(parse_url(one), parse_url(other)) is same
