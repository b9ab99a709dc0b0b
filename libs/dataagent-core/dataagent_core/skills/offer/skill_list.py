"""The skills in a prompt: a line for each, within a budget of tokens. Pure.

The list stands in the system message and depends on the skills alone, so that a provider's cache of
it stays valid from message to message. Which of them fit a message stands in a note behind that
message. Descriptions come from anybody: each is one line without tags.
"""

from collections.abc import Iterable, Sequence

from dataagent_core.config.limits.offered_skills import (
    SKILL_LINE_TOKENS_MAX,
    SKILL_LIST_TOKENS_MAX,
)
from dataagent_core.config.prompts import SKILL_LIST_BEGIN, SKILL_LIST_END
from dataagent_core.language.prompt_line import make_prompt_line
from dataagent_core.skills.skill import Skill
from dataagent_core.tools.catalog.core_tools import estimate_tokens

_GUIDE = (
    "Skills are instructions for kinds of work, with scripts and references. Before you begin work "
    "that one is for, load it with the tool skill and follow it."
)
_NOTE = (
    "<matched_skills>\nAdded by DataAgent, not the person. These skills seem to fit the message: "
    "load one with the tool skill before you begin, unless it is about something else.\n{lines}\n"
    "</matched_skills>"
)


def render_skill_list(skills: Sequence[Skill], tokens_max: int = SKILL_LIST_TOKENS_MAX) -> str:
    """Write the list; what does not fit is counted, and found with a search."""
    if not skills:
        return ""
    ordered = sorted(skills, key=lambda skill: (not skill.always_offered, skill.name))
    shown: list[str] = []
    left = tokens_max
    for skill in ordered:
        line = render_line(skill)
        left -= _count_tokens(line)
        if left < 0:
            break
        shown.append(line)
    rest = len(ordered) - len(shown)
    more = f"\n{rest} more are not listed: find them with skill(search=...)." if rest else ""
    lines = "\n".join(shown)
    return f"{SKILL_LIST_BEGIN}\n{_GUIDE}\n{lines}{more}\n{SKILL_LIST_END}"


def render_matched_note(skills: Iterable[Skill]) -> str:
    """Write the note behind a message; nothing if no skill fits."""
    lines = "\n".join(map(render_line, skills))
    return _NOTE.format(lines=lines) if lines else ""


def render_line(skill: Skill, tokens_max: int = SKILL_LINE_TOKENS_MAX) -> str:
    """Write one skill, shortened at a word where it is too long."""
    text = make_prompt_line(skill.description or skill.summary)
    line = f"- {skill.name}: {text}"
    while _count_tokens(line) > tokens_max:
        kept = line[: len(line) * 9 // 10]
        at_word, _, _ = kept.rpartition(" ")
        line = (at_word if len(at_word) * 10 > len(kept) * 9 else kept).rstrip(" ,;:.…") + "…"
    return line


def _count_tokens(line: str) -> int:
    """Count a line with its line break."""
    return estimate_tokens(line) + 1
