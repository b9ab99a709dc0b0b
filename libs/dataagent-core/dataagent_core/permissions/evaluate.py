"""The decision about a call: `evaluate(request, rules)`, pure."""

from dataagent_core.permissions.decide_tool import decide_tool, rules_about
from dataagent_core.permissions.evaluate_shell import shell_parts
from dataagent_core.permissions.patterns import escaped
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rule import Rule, RuleSet
from dataagent_core.permissions.tool_groups import DELETE_TOOLS
from dataagent_core.permissions.verdict import PartVerdict, PermissionVerdict, strictest


def evaluate(request: PermissionRequest, rules: RuleSet) -> PermissionVerdict:
    """Decide whether a call may run, must be asked about, or is forbidden."""
    command = request.command
    if command is not None:
        return strictest(shell_parts(command, request.tool, request.cwd, rules))
    about = rules_about(request.tool, rules)
    decided = decide_tool(request.tool, request.resource, about, is_path=request.is_path)
    part = PartVerdict(
        f"{request.tool} {request.resource}".strip().replace("\x00", "…"),
        decided.action,
        decided.reason,
        decided.rule,
        lambda: Rule(request.tool, _always(request), "allow", "session"),
    )
    return strictest([part])


def _always(request: PermissionRequest) -> str:
    """Say what "always" covers: the host, the file to delete, else the tool."""
    if request.tool in DELETE_TOOLS or "url" in request.args:
        return escaped(request.resource)
    return "**"
