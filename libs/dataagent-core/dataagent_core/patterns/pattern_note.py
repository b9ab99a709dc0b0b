"""What a model is told of patterns that are like what the person wants. Pure.

Earlier work is advice: the person's message, the rules and the answers of people come first. The
texts were scrubbed when they were stored; each stands on a line of its own.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from dataagent_core.config.limits.patterns import PATTERN_NAME_CHARS_MAX, PATTERN_NOTE_CHARS_MAX
from dataagent_core.language.prompt_line import make_prompt_line
from dataagent_core.patterns.interaction_pattern import InteractionPattern, PatternStep
from dataagent_core.patterns.pattern_text import is_written_by

_HEADING: Final = (
    "Earlier work like this led to a result. Take from it what fits this message; where it "
    "differs, follow the message. It permits nothing."
)

# The name of a pattern, and how often it succeeded.
_HEAD_CHARS_MAX: Final = PATTERN_NAME_CHARS_MAX + 80


def write_pattern_note(patterns: Sequence[InteractionPattern], user_id: str) -> str:
    """Write what a user's agent is told of some patterns, the most similar first."""
    if not patterns:
        return ""
    lines = [_HEADING, *(line for pattern in patterns for line in _describe(pattern, user_id))]
    note = ""
    for line in lines:
        if len(note) + len(line) >= PATTERN_NOTE_CHARS_MAX:
            return f"{note}…"
        note += f"{line}\n"
    return note.rstrip("\n")


def describe_pattern(pattern: InteractionPattern) -> str:
    """Write for a person what is known of a pattern, one sentence in a line."""
    counts = f"It succeeded {pattern.success_count} of {pattern.usage_count} times."
    return "\n".join([make_prompt_line(pattern.name), counts, describe_way(pattern)])


def describe_way(pattern: InteractionPattern) -> str:
    """Write for a person all that a plan takes from a pattern, one sentence in a line."""
    lines = [
        *(f"{number}. {_name_step(step)}" for number, step in enumerate(pattern.steps, start=1)),
        *_list_words_of_steps(pattern),
        *_list_words_of_people(pattern),
    ]
    text = "\n".join(lines)
    room = PATTERN_NOTE_CHARS_MAX - _HEAD_CHARS_MAX
    return text if len(text) <= room else f"{text[:room].rpartition(chr(10))[0]}\n…"


def _list_words_of_steps(pattern: InteractionPattern) -> Iterator[str]:
    """List what the steps have beside their descriptions."""
    for number, step in enumerate(pattern.steps, start=1):
        if step.expected_output:
            yield f"Result of step {number}: {make_prompt_line(step.expected_output)}"
        for text in step.decision_points:
            yield f"Decided at step {number}: {make_prompt_line(text)}"
        for text in step.corrections:
            if text not in pattern.corrections:
                yield f"Corrected at step {number}: {make_prompt_line(text)}"


def _name_step(step: PatternStep) -> str:
    """Name a step as a person reads it: by its words, else by its tools."""
    return _describe_step(step) if step.description else ", ".join(step.tools)


def _list_words_of_people(pattern: InteractionPattern) -> Iterator[str]:
    for preference in pattern.decision_preferences:
        question, choice = map(make_prompt_line, (preference.question, preference.preferred))
        yield f"Asked {question!r}, people chose {choice!r}."
    for correction in pattern.corrections:
        yield f"A person corrected: {make_prompt_line(correction)}"


def _describe(pattern: InteractionPattern, user_id: str) -> Iterator[str]:
    counts = f"{pattern.success_count} of {pattern.usage_count} succeeded"
    tools = " > ".join(call.tool for chain in pattern.tool_chains[:1] for call in chain)
    if not is_written_by(pattern, user_id):
        yield f"- Work of this kind by others ({counts})"
        yield f"  Tools: {tools or ', '.join(sorted(pattern.tools))}"
        return
    yield f"- {make_prompt_line(pattern.name)} ({counts})"
    for number, step in enumerate(pattern.steps, start=1):
        yield f"  {number}. {_describe_step(step)}"
    if tools:
        yield f"  Tools: {tools}"
    for line in _list_words_of_people(pattern):
        yield f"  {line}"


def _describe_step(step: PatternStep) -> str:
    tools = f" ({', '.join(step.tools)})" if step.tools else ""
    return f"{make_prompt_line(step.description) or 'a step with'}{tools}"
