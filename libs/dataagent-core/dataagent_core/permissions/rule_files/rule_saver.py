"""Keeping an "always" beyond the session: the port, and the folder's own rules behind it.

The engine saves, not the face that asked, so that every face saves the same. Whoever builds an
executor hands it a saver; without one an "always" ends with the session. A server takes answers
while no engine runs: it keeps the rules itself and hands them over as `AgentExecutor.kept_rules`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

from dataagent_core.errors import ConfigurationError, ValidationError
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.permissions.rule_files.rule_file import add_rules
from dataagent_core.permissions.rule_files.rule_file_names import PROJECT_RULES_PATH
from dataagent_core.permissions.rule_files.trust import is_trusted, trust
from dataagent_core.permissions.rules import Rule, Source


class RuleSaver(Protocol):
    """Keeps rules for later sessions."""

    def save(self, rules: Sequence[Rule]) -> Sequence[Rule]:
        """Keep the rules, and return those that are new.

        Raises `ValidationError` with the reason and the way out.
        """
        ...


class ProjectRules:
    """Adds to the rules of a folder, as long as the person trusts them as they are."""

    def __init__(self, home: Path, project: Path) -> None:
        self._home = home
        self._project = project
        self.path = project / PROJECT_RULES_PATH

    @property
    def trusted(self) -> bool:
        """Whether what is saved here would count: rules of other folders only tighten."""
        return is_trusted(self._home, self._project)

    def save(self, rules: Sequence[Rule]) -> Sequence[Rule]:
        """Append the rules; the folder stays trusted, since the person has just seen them."""
        try:
            if not self.trusted:
                raise ValidationError(
                    f"{self._project} is not trusted, so a rule saved there would allow nothing. "
                    "Trust it first (`dataagent permissions trust`), or say always without saving."
                )
            new = add_rules(self.path, list(rules))
            trust(self._home, self._project)
        except (OSError, ConfigurationError) as error:
            raise ValidationError(f"the rule cannot be saved: {error}") from error
        return new


def save_if_wanted(decision: Decision, action: ActionRequest, saver: RuleSaver | None) -> None:
    """Keep the rules the question showed, if the answer says so."""
    if "save" not in decision:
        return
    if saver is None:
        raise ValidationError("nothing can be saved here; say always without 'save'.")
    rules = rules_shown_in(action, decision["save"])
    if not rules:
        raise ValidationError("no rule can cover this call, so there is nothing to save.")
    saver.save(rules)


def rules_shown_in(action: Mapping[str, Any], source: Source) -> list[Rule]:
    """Read back the rules a question showed: they are what the answer is about."""
    shown = cast("list[dict[str, Any]]", action.get("saves") or [])
    return [Rule(str(one["tool"]), str(one["resource"]), "allow", source) for one in shown]
