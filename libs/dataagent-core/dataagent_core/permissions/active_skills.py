"""The active skills of a run, and what their `allowed-tools` leave of the tools an agent has.

A skill is active from its activation to the end of the run. One with a list narrows: a call must be
in the list of every skill that is active for the agent that makes it, so neither a second skill nor
a sub-agent nor a text can widen a list. A skill without a list narrows nothing. What a skill allows
still has to pass rules, mode and people (`policy.py`): nothing here allows a call.

A skill that the agent activated holds for its sub-agents too; one that a sub-agent activated holds
for that task and the tasks below it, so that sub-agents side by side do not stop each other.

Always usable are the tools that only touch the run itself, and reading the files of skills. So the
agent can go on: it can load references, plan, ask, and end the run with what it has.

An entry of a list is a tool, a group (`read`), or a pattern of names (`mcp__git__*`), in our words
or those of other products (`foreign_tools.py`). In brackets it names what the call may be about, as
in a rule: `Bash(git:*)`, `Read(/docs/**)`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from dataagent_core.config.limits import PERMISSION_RULE_SETS_CACHED_MAX
from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.foreign_tools import read_tool_name
from dataagent_core.permissions.patterns import EVERYTHING
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rules import Rule, RuleSet, select_rules
from dataagent_core.permissions.tool_groups import ALWAYS_USABLE, GROUPS

_SKILL_FILES: Final = "/skills/"
_WRITE: Final = "write_file"
_READ_ONE: Final = frozenset({"read_file", "ls"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveSkill:
    """A skill at work; without a list it narrows nothing."""

    name: str
    allowed_tools: tuple[str, ...] | None = None


def read_activation(name: str, detail: Mapping[str, Any]) -> ActiveSkill:
    """Read a skill from the event that says it was activated."""
    listed: object = detail.get("allowed_tools")
    allowed = tuple(map(str, listed)) if isinstance(listed, list) else None
    return ActiveSkill(name=name, allowed_tools=allowed)


@dataclass(slots=True)
class ActiveSkills:
    """The active skills as one agent of the run sees them.

    All agents of a run share `by_agent`: under the id of a sub-agent's task, or None for the agent
    itself. `lineage` are the tasks that lead to this agent.
    """

    by_agent: dict[str | None, list[ActiveSkill]] = field(
        default_factory=dict[str | None, list[ActiveSkill]]
    )
    lineage: tuple[str | None, ...] = (None,)

    def for_subagent(self, task_id: str) -> "ActiveSkills":
        """Return the skills as the sub-agent of a task sees them."""
        return ActiveSkills(self.by_agent, (*self.lineage, task_id))

    def add(self, skill: ActiveSkill) -> None:
        """Activate a skill for this agent and its sub-agents."""
        self.restore(self.lineage[-1], skill)

    def restore(self, task_id: str | None, skill: ActiveSkill) -> None:
        """Activate a skill that the log says was active."""
        known = self.by_agent.setdefault(task_id, [])
        if skill not in known:
            known.append(skill)

    @property
    def applying(self) -> list[ActiveSkill]:
        """The skills that hold for this agent, the first one activated first."""
        return [skill for agent in self.lineage for skill in self.by_agent.get(agent, ())]

    def explain_refusal(self, request: PermissionRequest) -> str | None:
        """Say which active skill leaves a call out; None if each allows it."""
        for skill in self.applying:
            if not is_allowed_by(skill.allowed_tools, request):
                return _explain(skill, request.tool)
        return None


def is_allowed_by(allowed_tools: Sequence[str] | None, request: PermissionRequest) -> bool:
    """Say whether a list of `allowed-tools` holds a call. Pure."""
    tool = request.tool
    if allowed_tools is None or tool in ALWAYS_USABLE:
        return True
    if tool in _READ_ONE and request.resource.startswith(_SKILL_FILES):
        return True
    about = _select_entries(allowed_tools, tool)
    if not about or any(rule.resource in EVERYTHING for rule in about):
        return bool(about)
    decision = evaluate(request, _make_closed_rules(tuple(allowed_tools), tool))
    # What nobody can know of a command line is not in a list.
    return decision.action != "deny" and not any(part.doubtful for part in decision.commands)


def lists_tool(allowed_tools: Sequence[str] | None, tool: str) -> bool:
    """Say whether a list of `allowed-tools` holds any call of a tool. Pure."""
    return allowed_tools is None or bool(_select_entries(allowed_tools, tool))


def _select_entries(allowed_tools: Sequence[str], tool: str) -> tuple[Rule, ...]:
    return select_rules(tool, _make_rules(tuple(allowed_tools))).operator


@lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)
def _make_rules(allowed_tools: tuple[str, ...]) -> RuleSet:
    return RuleSet(operator=tuple(rule for entry in allowed_tools for rule in _read_entry(entry)))


@lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)
def _make_closed_rules(allowed_tools: tuple[str, ...], tool: str) -> RuleSet:
    """Deny all but the list; a command that is in it writes a file only if `write_file` is too."""
    rest = (Rule(tool, "*", "deny", "operator"), Rule(_WRITE, "*", "deny", "operator"))
    return RuleSet(operator=(*rest, *_make_rules(allowed_tools).operator))


def _read_entry(entry: str) -> list[Rule]:
    # Where both mean something, a group is meant by our own name for it: `read`, not `Read`.
    if entry in GROUPS:
        return [Rule(entry, "*", "allow", "operator")]
    read = read_tool_name(entry.strip())
    return [
        Rule(tool, resource, "allow", "operator")
        for tool in read.tools
        for resource in read.resources or ("*",)
    ]


def _explain(skill: ActiveSkill, tool: str) -> str:
    listed = ", ".join(skill.allowed_tools or ()) or "none"
    return (
        f"{tool} did not run: the active skill {skill.name!r} leaves it out of its allowed-tools "
        f"({listed:.300}). Go on with those tools and files of /skills/, or end with what is done "
        "and say what is left: with the next message the skill is no longer active."
    )
