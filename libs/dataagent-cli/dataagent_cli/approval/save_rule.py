"""Letting the person keep a yes for the whole project: what would be saved is shown first."""

from collections.abc import Awaitable, Callable

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import spelled_out
from dataagent_cli.output.streams import Output
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.permissions import ProjectRules
from dataagent_core.permissions.rule_files.rule_saver import rules_shown_in

Ask = Callable[[str], Awaitable[str]]


async def saved_to_project(
    action: ActionRequest, project: ProjectRules | None, ask: Ask, output: Output, say: Messages
) -> Decision | None:
    """Show the rules and where they go, and ask once more; nothing where they cannot be kept.

    Only the words are here: the engine saves when it takes the answer.
    """
    rules = rules_shown_in(action, "project")
    if not rules:
        output.note(say("always_nothing"))
        return None
    if project is None:
        output.note(say("remote_no_project"), fg="yellow")
        return None
    if not project.trusted:
        output.note(say("project_not_trusted"), fg="yellow")
        return None
    output.note(say("project_would_save", path=spelled_out(str(project.path))))
    for rule in rules:
        output.note(f"  {rule.action} {rule.tool} {spelled_out(rule.resource)}", fg="cyan")
    if (await ask("project_sure")).strip().lower() != "y":
        return None
    return {"type": "approve", "scope": "always", "save": "project"}
