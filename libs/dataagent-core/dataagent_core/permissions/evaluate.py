"""The decision about a call: `evaluate(request, rules)`, pure."""

from collections.abc import Callable

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
    parts = (
        [_tool_part(request, rules)] if command is None else shell_parts(request, command, rules)
    )
    return strictest([_declared(part, request) for part in parts] if request.declared else parts)


def _declared(part: PartVerdict, request: PermissionRequest) -> PartVerdict:
    """Ask where only a default speaks: a tool's own word is stronger than its name."""
    if part.rule is not None or part.action == "deny":
        return part
    covering = None if request.once_only else part.covering
    return part._replace(action="ask", reason=f"asked: {request.declared}", covering=covering)


def _tool_part(request: PermissionRequest, rules: RuleSet) -> PartVerdict:
    about = rules_about(request.tool, rules)
    decided = decide_tool(request.tool, request.resource, about, is_path=request.is_path)
    reason = _changed(request, about) if decided.action == "ask" else None
    return PartVerdict(
        f"{request.tool} {request.resource}".strip().replace("\x00", "…"),
        decided.action,
        reason or decided.reason,
        decided.rule,
        _covering(request),
        doubtful=reason is not None or decided.reason.startswith(HOST_FILE_ASKED),
    )


def _covering(request: PermissionRequest) -> Callable[[], Rule] | None:
    if request.once_only:
        return None
    return lambda: Rule(request.tool, _always(request), "allow", "session")


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
