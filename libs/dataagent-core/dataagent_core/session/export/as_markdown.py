"""A session as Markdown that reads well on GitHub: questions quoted, tool calls folded away."""

from html import escape
from typing import assert_never

from dataagent_core.session.export.neutral import (
    as_text,
    fence_text,
    in_line,
    tame_markdown,
    visible,
)
from dataagent_core.session.export.plans import ExportedPlan
from dataagent_core.session.export.turns import (
    AnswerPart,
    ErrorPart,
    ExportedSession,
    ExportedTurn,
    FileChangePart,
    RequestPart,
    Step,
    ToolCallPart,
    turns_of,
)

_UNFINISHED = "*This run was not finished when the session was exported.*"


def markdown_document(exported: ExportedSession) -> str:
    """Write the whole session."""
    session = exported.session
    turns = turns_of(exported)
    heading = " ".join(visible(exported.title).split()) or session.session_id
    period = f"{session.created_at:%Y-%m-%d %H:%M} to {session.last_active:%Y-%m-%d %H:%M} UTC"
    parts = [
        f"# {tame_markdown(heading)}",
        f"Session {in_line(session.session_id)}, {period}, {len(turns)} questions.",
    ]
    for number, turn in enumerate(turns, 1):
        parts += _format_turn(number, turn)
    return "\n\n".join(parts) + "\n"


def _format_turn(number: int, turn: ExportedTurn) -> list[str]:
    when = f"{turn.asked_at:%Y-%m-%d %H:%M} UTC"
    model = f", {in_line(turn.model)}" if turn.model else ""
    quoted = "\n".join(f"> {line}".rstrip() for line in tame_markdown(turn.question).split("\n"))
    parts = [f"## {number}. Question", f"*{when}{model}*", quoted]
    if turn.plan is not None:
        parts.append(_format_plan(turn.plan))
    parts += [_format_step(step) for step in turn.steps]
    if turn.reason is None:
        parts.append(_UNFINISHED)
    elif turn.reason != "completed":
        parts.append(f"*The run ended: {turn.reason}.*")
    return parts


def _format_plan(plan: ExportedPlan) -> str:
    reason = f": {in_line(as_text(plan.reason, 500))}" if plan.reason else ""
    lines = [f"**Plan**, {plan.status.replace('_', ' ')}{reason}"]
    for step in plan.steps:
        result = f": {in_line(as_text(step.result, 500))}" if step.result else ""
        # Not a numbered list: steps keep their numbers wherever they stand.
        line = f"- {in_line(step.number)} {in_line(step.text)}, {in_line(step.outcome)}{result}"
        lines.append(line)
    return "\n".join([lines[0], "", *lines[1:]]).rstrip()


def _format_step(step: Step) -> str:
    match step:
        case AnswerPart():
            text = tame_markdown(step.text)
            if step.unsourced:
                text += f"\n\n*{step.unsourced} figures here have no source.*"
            return text
        case ToolCallPart():
            head = f"tool {in_line(step.name)}: {in_line(step.status)}"
            given = fence_text(as_text(dict(step.args)), "json")
            got = fence_text(as_text(step.result)) if step.result is not None else "(no result)"
            # GitHub renders Markdown between the tags only after an empty line.
            inside = f"{head}\n\n{given}\n\n{got}"
            return f"<details><summary>{_format_summary(step)}</summary>\n\n{inside}\n\n</details>"
        case FileChangePart():
            line = f"File {in_line(step.path)}: {in_line(step.operation)}"
            return line if not step.diff else f"{line}\n\n{fence_text(as_text(step.diff), 'diff')}"
        case RequestPart():
            question = in_line(as_text(step.question, 500))
            return f"Asked {question}, answered {in_line(as_text(step.decision, 500))}."
        case ErrorPart():
            return f"**Error:**\n\n{fence_text(as_text(step.text))}"
        case _:
            assert_never(step)


def _format_summary(step: ToolCallPart) -> str:
    # Between tags on one line, so it is HTML; characters that begin Markdown are escaped too.
    line = " ".join(visible(step.title).split())
    return escape(line).replace("[", "&#91;").replace("`", "&#96;")
