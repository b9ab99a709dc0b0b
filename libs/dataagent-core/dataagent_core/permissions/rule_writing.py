"""Adding and removing rules in a file, for the command line alone: no tool comes here.

The person's text and comments stay; only whole `[[rules]]` blocks are added or taken out. The new
text is read back before it replaces the file, and it replaces it at once.
"""

import json
import re
from pathlib import Path

from dataagent_core.config.writing import write_atomically
from dataagent_core.errors import ConfigurationError, NotFoundError
from dataagent_core.permissions.rule import Rule
from dataagent_core.permissions.rule_file import parse_rules, read_rule_file, read_text

_HEADER = re.compile(r"(?m)^[ \t]*\[\[[ \t]*rules[ \t]*\]\]")


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
