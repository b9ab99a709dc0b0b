"""/tools: what the agent can do, and which rules apply."""

from itertools import groupby
from typing import TYPE_CHECKING

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import needs_this_machine, workspace_of

if TYPE_CHECKING:
    from dataagent_core.permissions.rules import RuleSet
    from dataagent_core.tools.registry import RegisteredTool

_COLOURS = {"allow": "green", "ask": "yellow", "deny": "red"}
_NAME_CELLS = 26
_ACTION_CELLS = 6
_RULES_SHOWN_MAX = 5


async def tools(shell: Shell, argument: str) -> None:
    """List the tools by origin, each with the decision of the rules."""
    del argument
    needs_this_machine(shell, "tools")
    from dataagent_core.permissions.rule_files.load import load_rules

    rules = load_rules(shell.app.settings, workspace_of(shell))
    entries = sorted((await shell.workbench.tools()).entries.values(), key=_by_origin)
    for origin, group in groupby(entries, key=lambda entry: entry.origin):
        members = list(group)
        shell.output.note(f"{one_line(origin)} ({len(members)})", bold=True)
        for entry in members:
            _show(shell, entry, rules)
    shell.output.note(shell.app.say("command_tools_how"), dim=True)


def _by_origin(entry: "RegisteredTool") -> tuple[bool, str, str]:
    from dataagent_core.tools.definition.tool_origin import BUILT_IN

    return entry.origin != BUILT_IN, entry.origin, entry.tool.name


def _show(shell: Shell, entry: "RegisteredTool", rules: "RuleSet") -> None:
    from dataagent_core.permissions.decision import evaluate
    from dataagent_core.permissions.request import PermissionRequest
    from dataagent_core.permissions.rules import select_rules
    from dataagent_core.tools.definition.tool_origin import read_version

    output, tool = shell.output, entry.tool
    request = PermissionRequest(tool=tool.name, args={}, version=read_version(tool))
    verdict = evaluate(request, rules)
    action = output.styled(f"{verdict.action:<{_ACTION_CELLS}}", fg=_COLOURS[verdict.action])
    room = max(output.width_cells - _NAME_CELLS - _ACTION_CELLS - 5, 1)
    about = cut(one_line(tool.description), room)
    output.verbatim(f"  {tool.name:<{_NAME_CELLS}} {action} {about}")
    for rule in select_rules(tool.name, rules).all()[:_RULES_SHOWN_MAX]:
        output.note(f"  {'':<{_NAME_CELLS}} {one_line(str(rule))}", dim=True)
