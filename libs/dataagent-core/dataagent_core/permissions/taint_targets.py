"""Finding hosts and paths: in what a person wrote, and in what a call is about to use.

Pure. Both sides are brought into one spelling (punycode, small letters, no `www.`, no `..`), so
that naming a target and using it can be compared as strings. When in doubt nothing is named.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from itertools import islice
from typing import Any
from urllib.parse import unquote

import httpx

from dataagent_core.config.limits import TAINT_ARGUMENTS_MAX, TAINT_TARGETS_NAMED_MAX

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


def find_named_targets(messages: Iterable[str]) -> frozenset[str]:
    """Collect the hosts and paths a person named in their own messages."""
    found = (target for message in messages for target in _find_targets(message))
    return frozenset(islice(found, TAINT_TARGETS_NAMED_MAX))


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


def is_named(text: str, named: frozenset[str]) -> bool:
    """Say whether a text as a whole is a target the person named."""
    text = text.strip()
    if text.startswith(("/", "~/")):
        return posixpath.normpath(text) in named
    host = parse_url_host(text) if "://" in text else _normalize_host(text)
    return host is not None and host in named


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
