"""What the session's mode means for a call. Pure; the gate and the rules stay as they are.

ask     the rules decide, and what they ask about a person answers
plan    only what reads runs, whatever any rule allows and whoever said yes
auto    what would be asked only because no rule speaks of it runs; what a rule asks or denies holds
"""

from dataagent_core.permissions.decision import PermissionDecision, evaluate
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rules import RuleSet, holds_commands_back, select_rules
from dataagent_core.permissions.tool_groups import BACKGROUND_TOOLS, TASK_TOOLS

PROPOSE_PLAN = "propose_plan"
PLAN_ENTER = "plan_enter"

# They change the list of steps of this run, or start a sub-agent whose calls are judged themselves.
_WITHIN_THE_RUN = frozenset({"write_todos"}) | TASK_TOOLS | BACKGROUND_TOOLS
_NOTHING_BUT_DEFAULTS = RuleSet()


def explain_plan_refusal(request: PermissionRequest, effect: str) -> str | None:
    """Say why plan mode refuses a call; None for one that only reads."""
    if effect == "pure" or request.tool in _WITHIN_THE_RUN or _only_looks(request):
        return None
    return (
        "the session is in plan mode, in which nothing is changed. Go on reading, and put what "
        f"you would do into a plan: {PROPOSE_PLAN} shows it to the person, who decides whether "
        "it is carried out"
    )


def runs_in_auto(request: PermissionRequest, decision: PermissionDecision, rules: RuleSet) -> bool:
    """Say whether auto mode answers what a decision asks: no rule wants it asked or denied.

    A tool that has changed, and one that declares that a person is to be asked, are asked about.
    A command whose effect is unknown may be what a rule is about, so it is asked about if a rule
    holds commands back. Only the kernel restricts code that is given to an interpreter, and it
    restricts reads.
    """
    if request.declared:
        return False
    asked = [part for part in decision.commands if part.action == "ask"]
    if any(part.rule is not None for part in asked):
        return False
    if any(part.doubtful for part in asked):
        return request.command is not None and not holds_commands_back(request.tool, rules)
    if any(part.hands_code for part in asked):
        return not _holds_code_back(request, rules)
    return True


def _only_looks(request: PermissionRequest) -> bool:
    """Say whether a command line only reads: each part would run without asking."""
    return (
        request.command is not None and evaluate(request, _NOTHING_BUT_DEFAULTS).action == "allow"
    )


def _holds_code_back(request: PermissionRequest, rules: RuleSet) -> bool:
    """Say whether a rule forbids something that the kernel does not prevent code from doing."""
    reads = select_rules("read_file", rules).all()
    kept = ("deny", "allow") if request.layer == "read_only" else ("allow",)
    return any(rule.action not in kept for rule in reads) or any(
        rule.action != "allow"
        for tool in (request.tool, "write_file")
        for rule in select_rules(tool, rules).all()
    )
