"""`permissions explain`: why a call would be allowed, asked about or denied."""

from typing import Any

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import spell_out
from dataagent_cli.permissions.list_rules import as_document
from dataagent_cli.permissions.rule_files import RulesLocation
from dataagent_cli.wiring import App
from dataagent_core.permissions.decision import PartDecision, PermissionDecision, evaluate
from dataagent_core.permissions.policy import make_answer_rules
from dataagent_core.permissions.request import make_request
from dataagent_core.sandbox.paths.workspace_location import locate_terminal_workspace

_COLOURS = {"allow": "green", "ask": "yellow", "deny": "red"}


def explain(app: App, location: RulesLocation, tool: str, subject: str, as_json: bool) -> None:
    """Decide about a call that nobody makes, and print why."""
    request = make_request(
        tool, subject, locate_terminal_workspace(location.project), app.settings.sandbox_type
    )
    rules = location.rules()
    verdict = evaluate(request, rules)
    always = [as_document(rule) for rule in make_answer_rules(request, rules)]
    if as_json:
        write_document(_document(verdict, always))
        return
    line = app.say(f"decision.{verdict.action}", reason=spell_out(verdict.reason))
    app.output.line(line, fg=_COLOURS[verdict.action], bold=True)
    for part in verdict.commands:
        shown = f"  {part.action:5}  {spell_out(part.part)}"
        app.output.line(shown, fg=_COLOURS[part.action])
        app.output.line(f"         {app.say.translate(spell_out(part.reason))}")
    if verdict.action == "ask":
        if not always:
            app.output.line(app.say("always_nothing"))
        for rule in always:
            saved = f"{rule['tool']} {rule['resource']}"
            app.output.line(app.say("always_saves", rule=spell_out(saved)))


def _document(verdict: PermissionDecision, always: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "decision": verdict.action,
        "reason": verdict.reason,
        "rule": as_document(verdict.rule) if verdict.rule else None,
        "commands": [_part(part) for part in verdict.commands],
        "always": always,
    }


def _part(part: PartDecision) -> dict[str, Any]:
    return {
        "command": part.part,
        "decision": part.action,
        "reason": part.reason,
        "rule": as_document(part.rule) if part.rule else None,
    }
