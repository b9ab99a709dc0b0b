"""A SKILL.md from a text and from fields. Pure.

What the text's front matter says and the fields leave alone stays as it was written; with a field
that says something else the whole is written anew, as the standard has it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from dataagent_core.skills import Skill, SkillFile, SkillProblem, render_skill
from dataagent_core.skills.skill_fields import OWN_FIELDS, STANDARD_FIELDS
from dataagent_core.skills.skill_file import list_named_fields
from dataagent_core.skills.skill_package import ReadSkill, assemble_skill
from dataagent_server.agents.skills.form_files import SkillFolder
from dataagent_server.common.errors import InvalidRequestError

_FENCE: Final = "---"
_FIELDS: Final = frozenset(STANDARD_FIELDS) - {"metadata"} | frozenset(OWN_FIELDS)
_TRIGGER: Final = {"trigger_type": "type", "triggers": "phrases", "trigger_patterns": "patterns"}
_PROBLEMS_SHOWN_MAX: Final = 20


def make_text(text: str, fields: Mapping[str, Any]) -> str:
    """Write the SKILL.md of a text with these fields, by the names of the API."""
    if not fields:
        # A text alone is a whole SKILL.md; what is wrong with it is said of its own lines.
        return text
    written = _read(text)
    changed = _apply(written, fields)
    if changed == written and _has_front_matter(text):
        return text
    # What was read with a warning is no error because of another field.
    return render_skill(changed, strict=changed.description != written.description)


def complete_text(content: str, stored: str) -> str:
    """Write the SKILL.md of a content; what it does not name is as it is in the stored one.

    A content without front matter names nothing but the text below it.
    """
    old = assemble_skill(stored.encode(), ()).skill
    if old is None:
        # It is of an older server, and cannot be read any more.
        return content
    if not _has_front_matter(content):
        return render_skill(replace(old, content=content), strict=False)
    new, named = _read(content), list_named_fields(content)
    kept = {key.replace("-", "_") for key in _FIELDS - named}
    completed = replace(
        _apply(new, {name: _value_of(old, name) for name in kept}),
        metadata={**old.metadata, **new.metadata},
    )
    return content if completed == new else render_skill(completed, strict=False)


def require_skill_text(
    text: str, files: Iterable[SkillFile], folder: SkillFolder | None = None
) -> Skill:
    """Read a SKILL.md that may be stored; the error names everything that is wrong with it."""
    found = assemble_skill(
        text.encode("utf-8", "surrogatepass"),
        files,
        folder_name=folder and folder.name,
        is_archive=folder is not None and folder.is_archive,
    )
    if found.skill is None or not found.is_usable:
        raise make_problem_error(found)
    return found.skill


def make_problem_error(found: ReadSkill) -> InvalidRequestError:
    """Say why a skill cannot be stored, with the place of each problem."""
    errors = [one for one in found.problems if not one.is_warning][:_PROBLEMS_SHOWN_MAX]
    shown = "; ".join(one.render() for one in errors)
    return InvalidRequestError(
        f"The skill cannot be used: {shown}",
        {"problems": [_describe(one) for one in errors]},
    )


def _has_front_matter(text: str) -> bool:
    first = text.removeprefix("\ufeff").lstrip().partition("\n")[0]
    return first.rstrip() == _FENCE


def _read(text: str) -> Skill:
    if _has_front_matter(text):
        found = assemble_skill(text.encode("utf-8", "surrogatepass"), ())
        if found.skill is None:
            raise make_problem_error(found)
        return found.skill
    return Skill(id="", name="", description="", content=text)


def _apply(skill: Skill, fields: Mapping[str, Any]) -> Skill:
    trigger = {_TRIGGER[name]: value for name, value in fields.items() if name in _TRIGGER}
    others = {name: value for name, value in fields.items() if name not in _TRIGGER}
    return replace(skill, **others, trigger=replace(skill.trigger, **trigger))


def _value_of(skill: Skill, name: str) -> Any:
    part = _TRIGGER.get(name)
    return getattr(skill, name) if part is None else getattr(skill.trigger, part)


def _describe(problem: SkillProblem) -> dict[str, Any]:
    return {
        "message": problem.message,
        "line": problem.line,
        "column": problem.column,
        "is_warning": problem.is_warning,
    }
