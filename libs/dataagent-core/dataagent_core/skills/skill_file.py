"""Reads and writes `SKILL.md`: read leniently, written as the standard's validator wants it.

The front matter itself is read in `config/files/front_matter.py`, its fields in `skill_fields.py`;
the rules are in `skill_check.py`. A skill's folder and other files belong to `skill_folder.py`.
"""

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from dataagent_core.config.files.front_matter import (
    FrontMatter,
    make_repeated_key_error,
    read_front_matter,
)
from dataagent_core.config.limits.skills import SKILL_FILE_BYTES_MAX
from dataagent_core.errors import FrontMatterError, ValidationError
from dataagent_core.skills.skill import Skill, SkillFile, SkillScope, SkillTrigger
from dataagent_core.skills.skill_check import check_skill
from dataagent_core.skills.skill_fields import OWN_FIELDS, STEP_FIELDS, SkillFields
from dataagent_core.skills.source import SkillProblem

SKILL_FILE: Final = "SKILL.md"
# A value that any YAML reader takes as this text: a letter first, nothing with a meaning inside.
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.,;()/+ -]*[A-Za-z0-9_.)]|[A-Za-z]")
_WORDS_OF_YAML: Final = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
# What YAML wants escaped between double quotes, besides `"` and `\`.
_ESCAPED: Final = re.compile(
    "[^\x20-\x7e\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\uffef\U00010000-\U0001fffd]"
)


def parse_skill(
    text: str | bytes,
    *,
    folder_name: str | None = None,
    scope: SkillScope = SkillScope.TENANT,
    files: tuple[SkillFile, ...] = (),
) -> tuple[Skill, list[SkillProblem]]:
    """Read a SKILL.md and check it; `FrontMatterError` only if its front matter is broken.

    `files` are those beside it; links of the text are compared with them. The skill may be used
    unless one of the problems is more than a warning.
    """
    text = _decode(text)
    front = _read_front(text)
    for repeated in front.repeated:
        raise make_repeated_key_error(SKILL_FILE, repeated)
    fields = SkillFields(front, folder_name or "")
    name = fields.text("name")
    skill = Skill(
        id=name,
        scope=scope,
        name=name,
        description=fields.text("description"),
        content=front.body,
        license=fields.optional_text("license"),
        compatibility=fields.optional_text("compatibility"),
        metadata=fields.metadata,
        allowed_tools=fields.tool_names("allowed-tools"),
        display_name=fields.text("display_name"),
        summary=fields.text("summary"),
        category=fields.text("category", "general"),
        tags=fields.texts("tags"),
        trigger=fields.trigger(),
        version=fields.text("version", "1.0.0"),
        status=fields.status(),
        tools=fields.step_names("tools"),
        always_offered=fields.flag("always_offered"),
        requires_tools=fields.tool_names("requires_tools") or (),
        files=files,
    )
    rules = check_skill(skill, folder_name=folder_name, lines=text.rstrip("\n").count("\n") + 1)
    # A field that is missing is to be written before the second `---`.
    end = (front.body_line - 1, 1)
    problems = [*fields.problems, *(_place(problem, fields, end) for problem in rules)]
    # The folder where there is one: people look for the file there.
    found_in = folder_name or name
    return skill, [dataclasses.replace(problem, name=found_in) for problem in problems]


def list_named_fields(text: str) -> frozenset[str]:
    """List the fields that the front matter of a SKILL.md names, by their keys."""
    return SkillFields(_read_front(text), "").named


def _read_front(text: str) -> FrontMatter:
    return read_front_matter(
        text, SKILL_FILE, SKILL_FILE_BYTES_MAX, as_text=True, typed=STEP_FIELDS
    )


def _place(problem: SkillProblem, fields: SkillFields, end: tuple[int, int]) -> SkillProblem:
    line, column = fields.place_of(problem.field)
    if line is None and not problem.is_warning:
        line, column = end
    return dataclasses.replace(problem, line=line, column=column)


def _decode(text: str | bytes) -> str:
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    try:
        decoded = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _broken_at(
            f"{SKILL_FILE} is not UTF-8: the byte 0x{data[error.start]:02x} stands here. Save it "
            "as UTF-8.",
            data[: error.start].decode("utf-8", "replace"),
        ) from error
    before, nul, _ = decoded.partition("\0")
    if nul:
        raise _broken_at(
            f"{SKILL_FILE} has a NUL character. Remove it, or save the file as UTF-8.", before
        )
    return decoded


def _broken_at(message: str, before: str) -> FrontMatterError:
    return FrontMatterError(
        message,
        line=before.count("\n") + 1,
        column=len(before) - before.rfind("\n"),
    )


def render_skill(skill: Skill, *, strict: bool = True) -> str:
    """Write a SKILL.md; `ValidationError` for what may not be written.

    With `strict` it is one that `skills-ref` accepts, else one that we read.
    """
    for problem in check_skill(skill, strict=strict):
        if not problem.is_warning:
            raise ValidationError(problem.message)
    lines = [f"name: {_write(skill.name)}", f"description: {_write(skill.description)}"]
    if skill.license is not None:
        lines.append(f"license: {_write(skill.license)}")
    if skill.compatibility is not None:
        lines.append(f"compatibility: {_write(skill.compatibility)}")
    if skill.allowed_tools is not None:
        lines.append(f"allowed-tools: {_write(' '.join(skill.allowed_tools))}")
    metadata = dict(_own_fields(skill))
    metadata |= {key: text for key, text in skill.metadata.items() if not _is_own(key)}
    if metadata:
        lines.append("metadata:")
        lines += [f"  {_write(key)}: {_write(text)}" for key, text in metadata.items()]
    return "\n".join(["---", *lines, "---", "", skill.content.strip("\n"), ""])


def _is_own(key: str) -> bool:
    return key.replace("-", "_") in OWN_FIELDS


def _own_fields(skill: Skill) -> Iterator[tuple[str, str]]:
    """Give S2's fields that are not as they are without saying, each as text."""
    defaults: Mapping[str, str] = {"category": "general", "version": "1.0.0", "status": "active"}
    for key in ("display_name", "summary", "category", "version", "status"):
        text: str = getattr(skill, key)
        if text != defaults.get(key, ""):
            yield key, text
    trigger = skill.trigger
    if trigger.type != SkillTrigger().type:
        yield "trigger_type", trigger.type
    yield from _lists(
        {
            "tags": skill.tags,
            "triggers": trigger.phrases,
            "trigger_patterns": [dataclasses.asdict(one) for one in trigger.patterns],
            "tools": skill.tools,
            "requires_tools": skill.requires_tools,
        }
    )
    if skill.always_offered:
        yield "always_offered", "true"


def _lists(fields: Mapping[str, Iterable[object]]) -> Iterator[tuple[str, str]]:
    for key, values in fields.items():
        items = list(values)
        if items:
            yield key, json.dumps(items, ensure_ascii=False)


def _write(text: str) -> str:
    """Write a text for YAML, without `---` inside: other readers split the file there."""
    if _PLAIN.fullmatch(text) and "---" not in text and text.lower() not in _WORDS_OF_YAML:
        return text
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    quoted = _ESCAPED.sub(_escape, quoted)
    return f'"{quoted}"'.replace("---", "--\\x2d")


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return {"\n": "\\n", "\t": "\\t"}.get(match[0]) or (
        f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004
    )
