"""`permissions list`: every rule, with the number that `remove` takes.

The operator's rules have none: they are changed in `config.toml`.
"""

from typing import Any

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.table import print_table
from dataagent_cli.permissions.rule_files import RulesLocation
from dataagent_cli.wiring import App
from dataagent_core.permissions.rules import Rule


def list_rules(app: App, location: RulesLocation, as_json: bool) -> None:
    """Print the rules, the stronger source first."""
    rules = location.rules()
    numbered: list[tuple[int | None, Rule]] = [
        *((None, rule) for rule in rules.operator),
        *enumerate(rules.person, 1),
        *enumerate(rules.project, 1),
    ]
    if as_json:
        entries = [{"number": number, **as_document(rule)} for number, rule in numbered]
        write_document({"project_trusted": rules.project_trusted, "rules": entries})
        return
    if not numbered:
        app.output.note(app.say("no_rules"))
        return
    columns = ("source", "number", "action", "tool", "resource")
    rows = [[r.source, str(number or ""), r.action, r.tool, r.resource] for number, r in numbered]
    print_table(app.output, [app.say(f"col.{name}") for name in columns], rows)
    if rules.project and not rules.project_trusted:
        app.output.note(app.say("project_untrusted"))


def as_document(rule: Rule) -> dict[str, Any]:
    """Return a rule as JSON, for programs."""
    return {
        "source": rule.source,
        "action": rule.action,
        "tool": rule.tool,
        "resource": rule.resource,
    }
