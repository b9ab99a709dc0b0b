"""Where a redirect leads and what goes with it."""

import pytest

from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.tools.web.urls import format_url, parse_url
from dataagent_core.tools.web.web_client import follow_redirect
from dataagent_core.tools.web.web_message import WebRequest, WebResponse

SECRETS = (("Authorization", "s"), ("X-Api-Key", "s"), ("Accept", "text/html"))


def redirected(
    method: str, status: int, location: str, url: str = "https://a.example/x/y"
) -> WebRequest:
    body = b"data" if method in {"POST", "PUT"} else None
    headers = (*SECRETS, ("Content-Type", "text/plain")) if body else SECRETS
    request = WebRequest(method=method, url=parse_url(url), headers=headers, body=body)
    answer = WebResponse(
        method=method,
        url=request.url,
        status=status,
        headers=(("Location", location),),
        body=b"",
        cut=False,
    )
    followed = follow_redirect(request, answer)
    assert followed is not None
    return followed


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("z", "https://a.example/x/z"),
        ("/z?q=1#part", "https://a.example/z?q=1"),
        ("//b.example/z", "https://b.example/z"),
        ("http://b.example", "http://b.example/"),
    ],
)
def test_a_location_is_read_from_where_it_was_said(location: str, url: str) -> None:
    assert format_url(redirected("GET", 302, location).url) == url


@pytest.mark.parametrize(
    "location", ["https://b.example/", "http://a.example/", "https://a.example:444/"]
)
def test_secrets_stay_with_their_host(location: str) -> None:
    assert redirected("GET", 302, location).headers == (("Accept", "text/html"),)


def test_secrets_go_along_on_the_same_host() -> None:
    assert redirected("GET", 302, "/other").headers == SECRETS


@pytest.mark.parametrize("status", [301, 302, 303])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_what_changes_something_becomes_a_get_without_its_body(method: str, status: int) -> None:
    followed = redirected(method, status, "/other")
    assert (followed.method, followed.body) == ("GET", None)
    assert "Content-Type" not in dict(followed.headers)


@pytest.mark.parametrize("status", [307, 308])
def test_a_post_is_repeated_on_its_own_host_only(status: int) -> None:
    followed = redirected("POST", status, "/other")
    assert (followed.method, followed.body) == ("POST", b"data")
    for method in ("POST", "DELETE"):
        with pytest.raises(ToolExecutionError, match=r"to another host, https://b\.example/"):
            redirected(method, status, "https://b.example/")


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "http://user@b.example/", "ftp://b.example/", "http://[::1"]
)
def test_a_redirect_to_what_is_no_web_address_is_refused(location: str) -> None:
    with pytest.raises((ToolExecutionError, ValidationError)):
        redirected("GET", 302, location)


@pytest.mark.parametrize(("status", "location"), [(200, "/x"), (304, "/x"), (300, "/x"), (302, "")])
def test_other_answers_are_the_last(status: int, location: str) -> None:
    request = WebRequest(method="GET", url=parse_url("https://a.example/"))
    answer = WebResponse(
        method="GET",
        url=request.url,
        status=status,
        headers=(("Location", location),),
        body=b"",
        cut=False,
    )
    assert follow_redirect(request, answer) is None
