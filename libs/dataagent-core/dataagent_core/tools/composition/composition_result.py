"""The result of a composition: for the program, for the model, and for the journal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.member_calls import MemberResult, render_output


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionResult:
    """The composition with its new counts, and the result of each step that ran."""

    composition: ToolComposition
    succeeded: bool
    members: tuple[MemberResult, ...]
    # The steps whose output is the answer: the last one, or all that ran side by side.
    answering: tuple[int, ...]

    def text(self) -> str:
        """Render for the model: answer and failures in full, other steps in a line each."""
        lines = [f"{self.composition.name} {'succeeded' if self.succeeded else 'failed'}."]
        lines += [self._render_member(member) for member in self.members]
        ran = {member.step for member in self.members}
        left = [
            f"{step} ({name})"
            for step, name in enumerate(self.composition.tools, start=1)
            if step not in ran
        ]
        if left:
            lines.append(f"Not run: {', '.join(left)}.")
        return "\n".join(lines)

    def artifact(self) -> dict[str, Any]:
        """Return the result as plain values, which a journal can hold."""
        return {
            "composition_id": self.composition.id,
            "succeeded": self.succeeded,
            "success_count": self.composition.success_count,
            "failure_count": self.composition.failure_count,
            "members": [
                {"step": m.step, "tried": list(m.tried), "status": m.status} for m in self.members
            ],
        }

    def _render_member(self, member: MemberResult) -> str:
        earlier = f" (after {', '.join(member.tried[:-1])} failed)" if member.tried[1:] else ""
        head = f"{member.step}. {member.tried[-1]}{earlier}: {member.status}"
        shown = member.status != "ok" or member.step in self.answering
        return f"{head}\n{render_output(member.output)}" if shown else head


def make_composition_result(
    composition: ToolComposition,
    members: Sequence[MemberResult],
    answering: Sequence[int],
    *,
    succeeded: bool,
) -> CompositionResult:
    """Make a result, counting the execution."""
    return CompositionResult(
        composition=composition.counted(succeeded=succeeded),
        succeeded=succeeded,
        members=tuple(members),
        answering=tuple(answering),
    )
