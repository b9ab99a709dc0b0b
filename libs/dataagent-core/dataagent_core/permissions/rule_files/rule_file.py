"""Reading, checking and changing a file of rules.

[[rules]]
action = "deny"          # allow, ask or deny
tool = "shell"           # a tool, a group (read, write, web) or a pattern
resource = "git push *"  # optional: everything when left out

Only commands of a person change a file, no tool. The person's text and comments stay: whole
`[[rules]]` blocks are added or taken out. The new text is read back before it replaces the file,
and it replaces it at once.
"""

import json
import re
from pathlib import Path
from typing import Any, cast, get_args

from dataagent_core.config.files import text_file
from dataagent_core.config.files.atomic_write import write_atomically
from dataagent_core.config.limits import (
    PERMISSION_FILE_BYTES_MAX,
    PERMISSION_PATTERN_CHARS_MAX,
    PERMISSION_RULES_MAX,
)
from dataagent_core.errors import ConfigurationError, NotFoundError
from dataagent_core.permissions.rules import Action, Rule, Source

_WHAT = "a file of rules"
_KEYS = ("action", "tool", "resource")
_HEADER = re.compile(r"(?m)^[ \t]*\[\[[ \t]*rules[ \t]*\]\]")


def read_rule_file(path: Path, source: Source) -> tuple[Rule, ...]:
    """Read the rules of a file; one that is not there holds none."""
    text = read_text(path)
    return () if text is None else parse_rules(text, str(path), source)


def read_text(path: Path) -> str | None:
    """Read a file of rules as text."""
    return text_file.read_text(path, PERMISSION_FILE_BYTES_MAX, _WHAT)


def parse_rules(text: str, where: str, source: Source) -> tuple[Rule, ...]:
    """Check a file's text; `where` names it in errors."""
    return rules_of(text_file.parse_toml(text, where, _WHAT), where, source)


def rules_of(table: dict[str, Any], where: str, source: Source) -> tuple[Rule, ...]:
    """Check a table with `rules`, as files and settings hold it."""
    for key in table:
        if key != "rules":
            raise ConfigurationError(
                f"{where} sets {key!r}, which means nothing here: rules are [[rules]] tables "
                "with action, tool and resource."
            )
    entries = table.get("rules", [])
    if not isinstance(entries, list):
        raise ConfigurationError(f"{where}: 'rules' must be [[rules]] tables, not {entries!r:.60}.")
    found = cast("list[object]", entries)
    if len(found) > PERMISSION_RULES_MAX:
        raise ConfigurationError(
            f"{where} holds {len(found):,} rules; at most {PERMISSION_RULES_MAX:,} are looked at. "
            "Join some with wildcards."
        )
    return tuple(
        check_rule(entry, f"{where}, rule {number}", source)
        for number, entry in enumerate(found, 1)
    )


def check_rule(entry: object, where: str, source: Source) -> Rule:
    """Check one rule."""
    if not isinstance(entry, dict):
        raise ConfigurationError(f"{where} is {entry!r:.60}; it must be a table.")
    fields = cast("dict[str, object]", entry)
    for key in fields:
        if key not in _KEYS:
            raise ConfigurationError(f"{where} sets {key!r}; a rule has only {', '.join(_KEYS)}.")
    action = fields.get("action")
    if action not in get_args(Action):
        raise ConfigurationError(f"{where}: action is {action!r}; use allow, ask or deny.")
    tool = _pattern(fields.get("tool"), "tool", where)
    resource = _pattern(fields.get("resource", "**"), "resource", where)
    return Rule(tool, resource, cast("Action", action), source)


def _pattern(value: object, key: str, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        example = "'shell' or 'mcp__*'" if key == "tool" else "'git push *' or '/src/**'"
        raise ConfigurationError(
            f"{where}: {key} is {value!r}; it must be a pattern such as {example}."
        )
    if len(value) > PERMISSION_PATTERN_CHARS_MAX:
        raise ConfigurationError(
            f"{where}: {key} is longer than {PERMISSION_PATTERN_CHARS_MAX:,} characters."
        )
    trailing = len(value) - len(value.rstrip("\\"))
    if trailing % 2 or not value.isprintable():
        raise ConfigurationError(
            f"{where}: {key} is {value!r:.60}: a backslash must stand before a character, and "
            "control characters have no place in a pattern."
        )
    return value.strip() if not value.endswith("\\ ") else value.lstrip()


def add_rules(path: Path, rules: list[Rule]) -> list[Rule]:
    """Append the rules the file does not already end with; return those that were added."""
    text = read_text(path) or ""
    before = parse_rules(text, str(path), "person")
    last = {(r.tool, r.resource): r.action for r in before}
    new = [rule for rule in rules if last.get((rule.tool, rule.resource)) != rule.action]
    if new:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        _replace(path, text + gap + "\n".join(map(_block, new)))
    return new


def remove_rule(path: Path, number: int) -> Rule:
    """Take out the rule with this number, counted from 1."""
    rules = read_rule_file(path, "person")
    if not 1 <= number <= len(rules):
        raise NotFoundError(
            f"{path} has no rule {number}; it holds {len(rules)}. "
            "`dataagent permissions list` shows them."
        )
    text = read_text(path) or ""
    starts = [found.start() for found in _HEADER.finditer(text)]
    left = [*rules[: number - 1], *rules[number:]]
    if len(starts) == len(rules):
        ends = [*starts[1:], len(text)]
        shorter = text[: starts[number - 1]] + text[ends[number - 1] :]
        if list(parse_rules(shorter, str(path), "person")) == left:
            _replace(path, shorter)
            return rules[number - 1]
    raise ConfigurationError(
        f"{path} does not write its rules as plain [[rules]] tables; "
        f"take rule {number} out by hand."
    )


def _block(rule: Rule) -> str:
    fields = (("action", rule.action), ("tool", rule.tool), ("resource", rule.resource))
    # JSON strings are TOML strings.
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in fields)
    return "[[rules]]\n" + "".join(lines)


def _replace(path: Path, text: str) -> None:
    parse_rules(text, str(path), "person")
    write_atomically(path, text)
