"""Taint: once content of strangers is in the context, sending data out needs a person.

A page or an MCP server can tell the model to mail a secret somewhere. No text filter finds that
reliably, but the source of the content is known for certain. So after the first external result a
call that sends data out, or changes something outside the workspace, is asked even where a rule
allows it, unless the person named where it goes. Pure: the gate keeps the state and asks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dataagent_core.permissions.taint_targets import (
    find_urls,
    is_named,
    list_texts,
    list_url_hosts,
)
from dataagent_core.permissions.tool_groups import GROUPS

MCP_PREFIX = "mcp__"

_EXTERNAL_KEY = "external"
_WEB_TOOLS = frozenset({"http_request", "fetch_url", "web_scrape", "web_search"})
_URL_TOOLS = frozenset({"http_request", "fetch_url", "web_scrape"})
_SHELLS = frozenset({"shell", "execute", "code_executor"})
# What stays in the workspace or the conversation, is judged itself (the calls of a sub-agent), or
# goes only to the search engine the operator chose.
_INWARD = frozenset(
    {
        "ls",
        "glob",
        "grep",
        "read_file",
        "write_file",
        "edit_file",
        "multi_edit",
        "delete_file",
        "write_todos",
        "task",
        "summary",
        "ask_clarification",
        "ask_decision",
        "propose_plan",
        "find_tools",
        "load_tools",
        "web_search",
        *GROUPS["data"],
    }
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
    return is_declared or tool_name in _WEB_TOOLS or tool_name.startswith(MCP_PREFIX)


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
    risk = _find_risk(call_name, dict(args), effect, named)
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
