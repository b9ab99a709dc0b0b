"""The decision about a call: `evaluate(request, rules)`, pure."""

from dataagent_core.permissions.decide_tool import HOST_FILE_ASKED, decide_tool, rules_about
from dataagent_core.permissions.evaluate_shell import shell_parts
from dataagent_core.permissions.patterns import escaped, is_everything
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rule import Rule, RuleSet
from dataagent_core.permissions.tool_groups import DELETE_TOOLS
from dataagent_core.permissions.verdict import PartVerdict, PermissionVerdict, strictest


def evaluate(request: PermissionRequest, rules: RuleSet) -> PermissionVerdict:
    """Decide whether a call may run, must be asked about, or is forbidden."""
    command = request.command
    if command is not None:
        return strictest(shell_parts(request, command, rules))
    about = rules_about(request.tool, rules)
    decided = decide_tool(request.tool, request.resource, about, is_path=request.is_path)
    reason = _changed(request, about) if decided.action == "ask" else None
    part = PartVerdict(
        f"{request.tool} {request.resource}".strip().replace("\x00", "…"),
        decided.action,
        reason or decided.reason,
        decided.rule,
        None
        if request.once_only
        else lambda: Rule(request.tool, _always(request), "allow", "session"),
        doubtful=reason is not None or decided.reason.startswith(HOST_FILE_ASKED),
    )
    return strictest([part])


def _changed(request: PermissionRequest, about: RuleSet) -> str | None:
    """Say that a tool is no longer what somebody allowed, if it is so."""
    if not request.version:
        return None
    allowed = {
        rule.resource
        for rule in about.all()
        if rule.action == "allow" and rule.tool == request.tool and rule.source != "installation"
    }
    if not allowed - {request.version} or any(is_everything(one) for one in allowed):
        return None
    return f"asked: {request.tool} has changed since it was allowed; look at it again"


def _always(request: PermissionRequest) -> str:
    """Say what "always" covers: the version, the host, the file to delete, else the tool."""
    if request.version or request.tool in DELETE_TOOLS or "url" in request.args:
        return escaped(request.resource)
    return "**"
