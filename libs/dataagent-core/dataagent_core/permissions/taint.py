"""Taint: once content of strangers is in the context, sending data out needs a person.

A page or an MCP server can tell the model to mail a secret somewhere. No text filter finds that
reliably, but the source of the content is known for certain. So after the first external result a
call that sends data out, or changes something outside the workspace, is asked even where a rule
allows it, unless the person named where it goes. Pure: the gate keeps the state and asks.

Targets are the hosts and paths in what a person wrote and in what a call would use. Both are
normalized (punycode, small letters, no `www.`, no `..`), so that they can be compared as strings.
When in doubt nothing is named.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from itertools import islice
from typing import Any
from urllib.parse import unquote

import httpx

from dataagent_core.config.limits import TAINT_ARGUMENTS_MAX, TAINT_TARGETS_NAMED_MAX
from dataagent_core.permissions.shell.line import names
from dataagent_core.permissions.tool_groups import (
    BACKGROUND_TOOLS,
    GRAPH_QUERY,
    GROUPS,
    MCP_PREFIX,
    MEMORY_CREATE,
    TASK_TOOLS,
)

# A name in ASCII or an address: httpx lets escapes through. The web tools refuse what this does.
HOST = re.compile(r"[a-z0-9_-][a-z0-9._-]*|[0-9a-f:.]+", re.ASCII)
_URL = re.compile(r"""https?://[^\s<>"'`]{1,2000}""", re.IGNORECASE)
_HOST_IN_TEXT = re.compile(
    r"(?<![\w@./:-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}(?![\w@-]|\.[a-z0-9])",
    re.IGNORECASE | re.ASCII,
)
_ADDRESS = re.compile(
    r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\w)|(?<![\w.-])localhost(?![\w-])", re.ASCII
)
_PATH = re.compile(r"(?<![\w:/.~-])~?(?:/[\w.@+~-]+)+", re.ASCII)
_SENTENCE_ENDS = ".,;:!?)]}"
# Top-level domains that are file endings: `main.py` in a message names a file, not a host.
_FILE_ENDINGS = frozenset(
    {
        "app",
        "cc",
        "cfd",
        "cpp",
        "md",
        "ml",
        "mov",
        "pl",
        "ps",
        "py",
        "rs",
        "sh",
        "so",
        "sql",
        "st",
        "tf",
        "txt",
        "zip",
    }
)
_EXTERNAL_KEY = "external"
_WEB_TOOLS = frozenset({"http_request", "fetch_url", "web_scrape", "web_search"})
# The report of another run, which may have read anything, and what was learned from anybody.
_REPORT_TOOLS = frozenset({"check_task", GRAPH_QUERY})
_URL_TOOLS = frozenset({"http_request", "fetch_url", "web_scrape"})
_SHELLS = frozenset({"shell", "execute", "code_executor"})
# What stays in the workspace or the conversation, is judged itself (the calls of a sub-agent), or
# goes only to the search engine the operator chose.
_INWARD = (
    GROUPS["data"]
    | (GROUPS["memory"] - {MEMORY_CREATE})
    | TASK_TOOLS
    | BACKGROUND_TOOLS
    | names(
        "ls glob grep read_file write_file edit_file multi_edit delete_file write_todos summary "
        "ask_clarification ask_decision propose_plan find_tools load_tools web_search "
        "plan_enter finish_step plan_question"
    )
)


@dataclass(frozen=True, slots=True)
class Taint:
    """The external tools whose results the conversation holds; empty means untainted."""

    sources: frozenset[str] = field(default_factory=frozenset[str])

    def after(self, tool_name: str, metadata: Mapping[str, Any] | None) -> "Taint":
        """Give the state once this tool has answered; taint never goes away."""
        if not is_external(tool_name, metadata):
            return self
        return self.with_source(tool_name)

    def with_source(self, name: str) -> "Taint":
        """Give the state after content of strangers came from this source."""
        return Taint(self.sources | {name})


def make_external_metadata() -> dict[str, str]:
    """Give what a tool's `metadata` must hold to say that its results come from outside."""
    return {_EXTERNAL_KEY: "yes"}


def is_external(tool_name: str, metadata: Mapping[str, Any] | None) -> bool:
    """Say whether a tool's results are content of strangers."""
    is_declared = bool((metadata or {}).get(_EXTERNAL_KEY))
    is_ours = tool_name in _WEB_TOOLS or tool_name in _REPORT_TOOLS
    return is_declared or is_ours or tool_name.startswith(MCP_PREFIX)


def explain_taint(
    call_name: str,
    args: Mapping[str, Any],
    effect: str,
    tainted: Taint,
    named: frozenset[str],
    *,
    shell_confined: bool = False,
) -> str | None:
    """Say why a person must be asked about this call, or None if taint is no reason to.

    `shell_confined` is for the caller to say: the shell has neither the network nor host files.
    """
    if not tainted.sources or call_name in _INWARD or (call_name in _SHELLS and shell_confined):
        return None
    risk = (
        "would remember what may be the words of a stranger"
        if call_name == MEMORY_CREATE
        else _find_risk(call_name, dict(args), effect, named)
    )
    if risk is None:
        return None
    read = ", ".join(sorted(tainted.sources))
    return f"{call_name} {risk}, and this conversation holds external content (from {read})."


def _find_risk(
    call_name: str, args: dict[str, Any], effect: str, named: frozenset[str]
) -> str | None:
    if call_name.startswith(MCP_PREFIX):
        return "hands its arguments to an MCP server"
    if call_name in _SHELLS:
        return "may reach the network or files outside the workspace"
    if call_name in _URL_TOOLS:
        return _find_unnamed_host([str(args.get("url", ""))], named)
    if effect == "pure":
        return _find_unnamed_host(find_urls(args), named)
    # It is unknown which argument of a foreign tool is its target, so each must be a named one.
    texts = list_texts(list(args.values()))
    if texts and all(is_named(text, named) for text in texts):
        return None
    return "may change something outside the workspace"


def _find_unnamed_host(urls: list[str], named: frozenset[str]) -> str | None:
    for url in urls:
        for host in list_url_hosts(url):
            if host is None:
                return f"goes to an address whose host cannot be told ({url!r:.100})"
            if host not in named:
                return f"goes to {host}, which you did not name"
    return None


def find_named_targets(messages: Iterable[str]) -> frozenset[str]:
    """Collect the hosts and paths a person named in their own messages."""
    found = (target for message in messages for target in _find_targets(message))
    return frozenset(islice(found, TAINT_TARGETS_NAMED_MAX))


def _find_targets(message: str) -> Iterator[str]:
    for url in _URL.findall(message):
        if host := parse_url_host(url.rstrip(_SENTENCE_ENDS)):
            yield host
    for host in _HOST_IN_TEXT.findall(message):
        if host.rpartition(".")[2].lower() not in _FILE_ENDINGS:
            yield _normalize_host(host)
    for address in _ADDRESS.findall(message):
        if address == "localhost" or _is_address(address):
            yield address
    for path in _PATH.findall(message):
        yield posixpath.normpath(path.rstrip(_SENTENCE_ENDS))


def is_named(text: str, named: frozenset[str]) -> bool:
    """Say whether a text as a whole is a target the person named."""
    text = text.strip()
    if text.startswith(("/", "~/")):
        return posixpath.normpath(text) in named
    host = parse_url_host(text) if "://" in text else _normalize_host(text)
    return host is not None and host in named


def parse_url_host(text: str) -> str | None:
    """Give the host an address leads to, or None if it cannot be told."""
    try:
        url = httpx.URL(text.strip())
    except (httpx.InvalidURL, UnicodeError):
        return None
    host = _normalize_host(url.raw_host.decode("ascii"))
    readable = url.scheme in {"http", "https"} and not url.userinfo and HOST.fullmatch(host)
    return host if readable else None


def list_url_hosts(text: str) -> list[str | None]:
    """Give the host of an address and of every address inside it: redirectors carry them."""
    inner = _URL.findall(unquote(unquote(text)).strip()[1:])
    return [parse_url_host(text), *(parse_url_host(one) for one in inner)]


def find_urls(args: Any) -> list[str]:
    """Find every address in the texts of some arguments."""
    return [url for text in list_texts(args) for url in _URL.findall(text)]


def list_texts(args: Any) -> list[str]:
    """Give every text in some arguments; beyond the limit a last empty one stands for the rest."""
    texts = list(islice(_walk_texts(args), TAINT_ARGUMENTS_MAX + 1))
    return texts if len(texts) <= TAINT_ARGUMENTS_MAX else [*texts[:TAINT_ARGUMENTS_MAX], ""]


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _normalize_host(host: str) -> str:
    return host.lower().rstrip(".").removeprefix("www.")


def _walk_texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case dict() as mapping:
                waiting.extend(mapping.values())
                waiting.extend(mapping)
            case list() | tuple() as items:
                waiting.extend(items)
            case _:
                pass
