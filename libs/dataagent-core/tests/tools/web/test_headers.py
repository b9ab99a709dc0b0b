"""Headers a model may send, and to whom."""

import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.tools.web.request_headers import check_headers, drop_private_headers


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-A", "1\r\nX-B: 2"),
        ("X-A", "1\n"),
        ("X-A", "nul\x00"),
        ("X-A", "ünicode"),
        ("X-A\r\nX-B", "1"),
        ("X A", "1"),
        ("", "1"),
        ("X:A", "1"),
        ("X-A", "a" * 10_000),
        ("Host", "internal"),
        ("content-length", "5"),
        ("Transfer-Encoding", "chunked"),
        ("Connection", "upgrade"),
        ("Proxy-Authorization", "x"),
        ("Accept-Encoding", "br"),
    ],
)
def test_a_header_that_could_split_or_misframe_the_request_is_refused(
    name: str, value: str
) -> None:
    with pytest.raises(ValidationError):
        check_headers({name: value})


def test_too_many_headers_are_refused() -> None:
    with pytest.raises(ValidationError, match="51"):
        check_headers({f"X-{number}": "1" for number in range(51)})


def test_only_harmless_headers_go_to_another_host() -> None:
    sent = check_headers(
        {"Authorization": "s", "Cookie": "s", "X-Api-Key": "s", "Accept": "text/html"}
    )
    assert drop_private_headers(sent) == (("Accept", "text/html"),)
