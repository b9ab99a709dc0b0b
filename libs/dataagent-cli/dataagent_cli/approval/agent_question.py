"""Shows a question of the agent, and reads the typed text as its answer."""

from collections.abc import Mapping

from dataagent_cli.approval.action_lines import BAR
from dataagent_cli.approval.budget_words import budget_words
from dataagent_cli.approval.question_box import write_end, write_heading
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import spell_out
from dataagent_cli.output.streams import Output
from dataagent_cli.output.text_width import fold
from dataagent_cli.transcript.calls.task_names import TaskName
from dataagent_cli.transcript.own_questions import (
    PATTERN,
    WORK_PLAN,
    find_way,
    translate_own,
)
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import Decision, DecisionType, default_answer

_NUMBER_CHARS_MAX = 4
_LOOP_WAYS: tuple[DecisionType, ...] = ("stop", "continue", "correct", "skip")
_BUDGET_WAYS: tuple[DecisionType, ...] = ("approve", "reject")
_IN_SHORT: dict[str, DecisionType] = {"y": "approve", "n": "reject", "r": "reject"}


def option_labels(request: HITLRequestEvent) -> list[str]:
    """List the options that can be chosen by number."""
    if request.kind == "doom_loop":
        return list(_LOOP_WAYS)
    if request.kind == "budget":
        return list(_BUDGET_WAYS)
    return [str(option["label"]) for option in request.options]


def show_question(
    request: HITLRequestEvent,
    labels: list[str],
    output: Output,
    say: Messages,
    task: TaskName | None = None,
) -> None:
    """Show the question and its numbered options, the recommended one marked."""
    heading = say(f"question.{request.kind}")
    if task is not None:
        heading = say("question_sub", question=heading, subagent=spell_out(task.label))
    output.note()
    write_heading(heading, output)
    for text in _question_lines(request, say):
        for line in fold(spell_out(text), output.width_cells - len(BAR)):
            output.note(BAR + line)
    for number, label in enumerate(labels, 1):
        option = request.options[number - 1] if number <= len(request.options) else {}
        mark = say("recommended") if option.get("is_recommended") else ""
        about = " · ".join(filter(None, [*_option_words(request, label, option, say), mark]))
        text = f"[{number}] {about}"
        for line in fold(spell_out(text), output.width_cells - len(BAR)):
            output.note(BAR + line)
    how = "answer_how_several" if request.allow_multiple and labels else "answer_how"
    write_end([say(how)], output)


def _option_words(
    request: HITLRequestEvent, label: str, option: Mapping[str, object], say: Messages
) -> tuple[str, str]:
    """Translate an option of ours; an option of the agent stays as it is."""
    if request.kind == "budget":
        return say(f"budget_way.{label}"), ""
    if way := find_way(request, label, say):
        return say(way), say(f"{way}.about")
    return label, str(option.get("description") or "")


def answer_from(typed: str, request: HITLRequestEvent, labels: list[str]) -> Decision | None:
    """Read the answer: numbers choose, empty takes the recommended option, else free text."""
    if not typed:
        return default_answer(request) if request.options else None
    words = typed.replace(",", " ").replace("\uff0c", " ").split()
    chosen = [labels[int(word) - 1] for word in words if _is_option_number(word, labels)]
    if labels and all(word.isdecimal() for word in words):
        several = request.allow_multiple or len(words) == 1
        if len(chosen) < len(words) or not several:
            # A number that names no option is a slip, not a free-text answer.
            return None
    if request.kind == "doom_loop":
        way = chosen[0] if chosen else typed.lower()
        if way in _LOOP_WAYS:
            return {"type": way}
        return {"type": "correct", "message": typed}
    if request.kind == "budget":
        way = chosen[0] if chosen else _IN_SHORT.get(typed.lower(), typed.lower())
        return {"type": way} if way in _BUDGET_WAYS else None
    by_number = bool(chosen) and len(chosen) == len(words)
    options: str | list[str] = chosen if request.allow_multiple else "".join(chosen[:1])
    return {"type": "answer", "answer": options if by_number else typed}


def _question_lines(request: HITLRequestEvent, say: Messages) -> list[str]:
    if request.kind == "budget":
        return budget_words(request, say)
    question = request.question or request.context or ""
    if request.question_type == WORK_PLAN:
        # Its first line says why it is asked; the steps are below.
        asked, _, steps = question.partition("\n")
        return [say.translate(asked), steps.strip("\n")]
    if request.question_type == PATTERN:
        # Each of its lines is one sentence.
        return [say.translate(line) for line in question.split("\n")]
    return [translate_own(request, question, say)]


def _is_option_number(text: str, labels: list[str]) -> bool:
    if not text.isdecimal() or len(text) > _NUMBER_CHARS_MAX:
        return False
    return 1 <= int(text) <= len(labels)
