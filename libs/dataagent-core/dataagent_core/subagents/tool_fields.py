"""What the fields of a file about tools mean: allowed tools and rules.

The tools of Claude Code and opencode are read as ours. A list narrows what the agent has; a
pattern in parentheses, a tool set to `false` and opencode's permissions become rules, which only
tighten. A list, a switch or a permission that cannot be read counts as the strictest: ignored, it
would allow what its author may have forbidden.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, cast, get_args

from dataagent_core.permissions.foreign_tools import ReadTool, read_tool_name
from dataagent_core.permissions.rules import Action, Rule, Source
from dataagent_core.permissions.tool_groups import GROUPS, SHELL_TOOLS
from dataagent_core.subagents.field_reader import FieldReader

# Its `allow` rules are exceptions to its own rules, nothing more.
RULES_SOURCE: Final[Source] = "installation"
_ALL: Final = "*"
_EVERYTHING: Final = "**"
# All that a sub-agent may use that only reads and lists no tools.
_READING: Final = (
    *sorted(GROUPS["read"]),
    *("web_search", "fetch_url", "data_list_sources", "data_search_catalog", "data_describe"),
    *("sql_check", "sql_query", "metric_query", "result_page"),
)
_CHANGING: Final = GROUPS["write"] | SHELL_TOOLS | {"code_executor", "http_request", "sql_write"}
# opencode asks for all of these under one name.
_PERMISSION_GROUPS: Final = {"edit": "write", "read": "read"}


class ToolFields(NamedTuple):
    """The tools a sub-agent may use (`None`: all of the agent's), and its rules."""

    allowed: tuple[str, ...] | None
    rules: tuple[Rule, ...]


def read_tool_fields(fields: FieldReader) -> ToolFields:
    """Take the fields about tools."""
    value = fields.take_limit("tools", "allowed_tools", "allowed-tools")
    allowed: tuple[str, ...] | None = None
    rules: list[Rule] = []
    if isinstance(value, dict):
        allowed, rules = _read_switches(cast("dict[object, object]", value), fields)
    else:
        names = fields.split(value, "tools")
        if names is not None and _ALL not in names:
            read = _read_names(names, "tools", fields)
            allowed = tuple(dict.fromkeys(tool for one in read for tool in one.tools))
            rules = _limit(read)
    if _is_read_only(fields):
        allowed = _READING if allowed is None else _leave_out_changes(allowed, rules)
    return ToolFields(allowed, (*rules, *_read_refused(fields), *_read_permission(fields)))


def _is_read_only(fields: FieldReader) -> bool:
    """Read `readonly: true` of Cursor and `permissionMode: plan` of Claude Code."""
    mode, flags = fields.take("permissionMode"), fields.take_all("readonly", "read_only")
    # What is neither true nor false may have been meant as a limit.
    is_flagged = any(flag is not False for flag in flags.values())
    found = {"permissionMode": mode == "plan", "readonly": is_flagged}
    for key, is_read_only in found.items():
        if is_read_only:
            fields.warn(key, f"{key!r} leaves out the tools that change something.")
        elif key == "permissionMode" and mode is not None:
            fields.warn(key, f"{key!r} means nothing here; it is ignored.")
    return any(found.values())


def _leave_out_changes(allowed: Sequence[str], rules: Sequence[Rule]) -> tuple[str, ...]:
    """Keep the tools that change nothing, and those of which the list names single calls."""
    limited = {rule.tool for rule in rules}
    dropped = {"write", *_CHANGING} - limited
    return tuple(tool for tool in allowed if tool not in dropped)


def _read_refused(fields: FieldReader) -> list[Rule]:
    """Read `disallowedTools` of Claude Code."""
    rules: list[Rule] = []
    for key, value in fields.take_all("disallowedTools", "disallowed_tools").items():
        if isinstance(value, dict):
            value = [str(name) for name in cast("dict[object, object]", value)]  # noqa: PLW2901
        rules += [
            Rule(tool, resource, "deny", RULES_SOURCE)
            for one in _read_names(fields.split(value, key) or (), key, fields)
            for tool in one.tools
            for resource in one.resources or (_EVERYTHING,)
        ]
        items = cast("list[object]", value) if isinstance(value, list) else [value]
        if not all(isinstance(item, str) for item in items):
            fields.warn(key, f"{key!r} cannot be read whole, so no tool is allowed.")
            rules.append(Rule(_ALL, _EVERYTHING, "deny", RULES_SOURCE))
    return rules


def _read_names(names: Sequence[str], key: str, fields: FieldReader) -> list[ReadTool]:
    read = [read_tool_name(name) for name in names]
    for one in read:
        _warn_of_foreign(one, key, fields)
    return read


def _warn_of_foreign(one: ReadTool, key: str, fields: FieldReader) -> None:
    if not one.is_known:
        fields.warn(key, f"{key!r} names {one.written!r}, which no tool here is called.")
    elif one.is_foreign:
        fields.warn(key, f"{key!r} names {one.written!r}, which is read as {', '.join(one.tools)}.")


def _limit(read: Sequence[ReadTool]) -> list[Rule]:
    """Forbid the calls of tools that are only allowed for some patterns."""
    whole = {tool for one in read if not one.resource for tool in one.tools}
    limited: dict[str, list[str]] = {}
    for one in read:
        for tool in one.tools:
            if one.resource and tool not in whole:
                limited.setdefault(tool, []).extend(one.resources)
    return [
        rule
        for tool, patterns in limited.items()
        for rule in (
            Rule(tool, _EVERYTHING, "deny", RULES_SOURCE),
            *(Rule(tool, pattern, "allow", RULES_SOURCE) for pattern in patterns),
        )
    ]


def _read_switches(
    table: dict[object, object], fields: FieldReader
) -> tuple[tuple[str, ...] | None, list[Rule]]:
    """Read opencode's `tools: {write: false}`."""
    switches = {str(name): value is True for name, value in table.items()}
    for name, value in table.items():
        if not isinstance(value, bool):
            fields.warn(
                "tools", f"'tools' sets {str(name)!r} to neither true nor false; false is used."
            )
    named = [name for name in switches if name != _ALL]
    read = dict(zip(named, _read_names(named, "tools", fields), strict=True))
    if switches.get(_ALL) is False:
        kept = (tool for name, one in read.items() if switches[name] for tool in one.tools)
        return tuple(dict.fromkeys(kept)), []
    return None, [
        Rule(tool, _EVERYTHING, "deny", RULES_SOURCE)
        for name, one in read.items()
        if not switches[name]
        for tool in one.tools
    ]


def _read_permission(fields: FieldReader) -> list[Rule]:
    """Read opencode's `permission: {edit: deny, bash: {"git *": allow}}`."""
    value = fields.take("permission")
    if value is None:
        return []
    table = cast("dict[object, object]", value if isinstance(value, dict) else {_ALL: value})
    rules: list[Rule] = []
    for key, decision in table.items():
        tools = _find_permitted(str(key), fields)
        patterns = cast(
            "dict[object, object]", decision if isinstance(decision, dict) else {"**": decision}
        )
        for pattern, action in patterns.items():
            resource = _EVERYTHING if pattern == _ALL else str(pattern)
            decided = _read_action(action, str(key), fields)
            rules += [Rule(tool, resource, decided, RULES_SOURCE) for tool in tools]
    return rules


def _read_action(written: object, key: str, fields: FieldReader) -> Action:
    for known in get_args(Action):
        if written == known:
            return known
    fields.warn("permission", f"'permission' says {str(written)!r:.60} of {key!r}; deny is used.")
    return "deny"


def _find_permitted(key: str, fields: FieldReader) -> tuple[str, ...]:
    if key == _ALL:
        return (_ALL,)
    if key in _PERMISSION_GROUPS:
        return (_PERMISSION_GROUPS[key],)
    one = read_tool_name(key)
    _warn_of_foreign(one, "permission", fields)
    return one.tools
