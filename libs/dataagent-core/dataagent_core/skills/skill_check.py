"""The rules that a skill keeps: the standard's and S2's. Pure.

An error keeps a skill from being offered; a warning does not. What is read from others may break
two rules that what we write may not: `strict` makes those warnings errors.
"""

import dataclasses
import re
from collections.abc import Iterator

from dataagent_core.config.limits.skills import (
    SKILL_CATEGORY_CHARS_MAX,
    SKILL_COMPATIBILITY_CHARS_MAX,
    SKILL_DESCRIPTION_CHARS_MAX,
    SKILL_DISPLAY_NAME_CHARS_MAX,
    SKILL_LINES_MAX,
    SKILL_METADATA_ENTRIES_MAX,
    SKILL_NAME_CHARS_MAX,
    SKILL_PATTERN_STEPS_MAX,
    SKILL_PATTERNS_MAX,
    SKILL_PHRASE_CHARS_MAX,
    SKILL_PHRASES_MAX,
    SKILL_SUMMARY_CHARS_MAX,
    SKILL_TAG_CHARS_MAX,
    SKILL_TAGS_MAX,
    SKILL_TOOL_CHARS_MAX,
    SKILL_TOOLS_MAX,
    SKILL_VERSION_CHARS_MAX,
)
from dataagent_core.skills.pattern_check import (
    count_pattern_steps,
    find_pattern_error,
    find_pattern_warning,
)
from dataagent_core.skills.skill import Skill
from dataagent_core.skills.source import SkillProblem
from dataagent_core.skills.tool_names import is_known_tool

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LINK = re.compile(r"\]\(\s*<?([^)\s>#]+)")
_CODE_BLOCK = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_FOLDERS = ("references/", "scripts/", "assets/")
_LINKS_CHECKED_MAX = 1_000


def is_skill_name(name: str) -> bool:
    """Say whether a name keeps the standard's rule."""
    return len(name) <= SKILL_NAME_CHARS_MAX and _NAME.fullmatch(name) is not None


def check_skill(
    skill: Skill, *, folder_name: str | None = None, lines: int | None = None, strict: bool = False
) -> list[SkillProblem]:
    """List what is wrong with a skill; `lines` is the length of SKILL.md where it is known."""
    checks = (
        _check_name(skill, folder_name),
        _check_description(skill, strict=strict),
        _check_lengths(skill),
        _check_trigger(skill),
        _check_tools(skill),
        _check_steps(skill),
        _check_text(skill, lines),
    )
    return [dataclasses.replace(problem, name=skill.name) for check in checks for problem in check]


_Found = Iterator[SkillProblem]


def _error(field: str, message: str) -> SkillProblem:
    return SkillProblem(name="", message=message, field=field)


def _warning(field: str, message: str) -> SkillProblem:
    return SkillProblem(name="", message=message, field=field, is_warning=True)


def _check_name(skill: Skill, folder_name: str | None) -> _Found:
    name = skill.name
    if not name:
        yield _error("name", "`name` is missing. Write it, the same as the folder is called.")
        return
    if not is_skill_name(name):
        yield _error(
            "name",
            f"The name {name!r:.80} is not one of a skill: 1 to {SKILL_NAME_CHARS_MAX} of a-z, "
            "0-9 and single hyphens, such as 'monthly-report'.",
        )
    elif folder_name is not None and folder_name != name:
        yield _error(
            "name",
            f"The folder is called {folder_name!r:.80} and the skill {name!r}. Rename the folder "
            "to the skill's name, or change `name`.",
        )


def _check_description(skill: Skill, *, strict: bool) -> _Found:
    text = skill.description
    if not text.strip():
        yield _error(
            "description", "`description` is missing. Say what the skill does and when to use it."
        )
    if len(text) > SKILL_DESCRIPTION_CHARS_MAX:
        yield _error(
            "description",
            f"`description` has {len(text):,} characters, {SKILL_DESCRIPTION_CHARS_MAX:,} are "
            "possible. Move the details into the body.",
        )
    if "<" in text or ">" in text:
        make = _error if strict else _warning
        yield make("description", "`description` must not contain < or >. Write words instead.")


def _check_lengths(skill: Skill) -> _Found:
    texts = (
        ("compatibility", skill.compatibility or "", SKILL_COMPATIBILITY_CHARS_MAX),
        ("display_name", skill.display_name, SKILL_DISPLAY_NAME_CHARS_MAX),
        ("summary", skill.summary, SKILL_SUMMARY_CHARS_MAX),
        ("category", skill.category, SKILL_CATEGORY_CHARS_MAX),
        ("version", skill.version, SKILL_VERSION_CHARS_MAX),
        *(("tags", tag, SKILL_TAG_CHARS_MAX) for tag in skill.tags),
        *(("triggers", one, SKILL_PHRASE_CHARS_MAX) for one in skill.trigger.phrases),
        *(("allowed-tools", one, SKILL_TOOL_CHARS_MAX) for one in skill.allowed_tools or ()),
        *(("tools", one, SKILL_TOOL_CHARS_MAX) for one in skill.tools),
        *(("requires_tools", one, SKILL_TOOL_CHARS_MAX) for one in skill.requires_tools),
    )
    for field, text, chars_max in texts:
        if len(text) > chars_max:
            yield _error(
                field,
                f"`{field}` has {len(text):,} characters, {chars_max:,} are possible. Shorten it.",
            )
    counts = (
        ("tags", len(skill.tags), SKILL_TAGS_MAX),
        ("triggers", len(skill.trigger.phrases), SKILL_PHRASES_MAX),
        ("trigger_patterns", len(skill.trigger.patterns), SKILL_PATTERNS_MAX),
        ("allowed-tools", len(skill.allowed_tools or ()), SKILL_TOOLS_MAX),
        ("tools", len(skill.tools), SKILL_TOOLS_MAX),
        ("requires_tools", len(skill.requires_tools), SKILL_TOOLS_MAX),
        ("metadata", len(skill.metadata), SKILL_METADATA_ENTRIES_MAX),
    )
    for field, count, count_max in counts:
        if count > count_max:
            yield _error(
                field, f"`{field}` has {count:,} entries, {count_max:,} are possible. Remove some."
            )


def _check_trigger(skill: Skill) -> _Found:
    steps = 0
    for pattern in skill.trigger.patterns:
        error = find_pattern_error(pattern)
        steps += 0 if error else count_pattern_steps(pattern)
        if steps > SKILL_PATTERN_STEPS_MAX:
            yield _error(
                "trigger_patterns",
                f"The trigger patterns have more than {SKILL_PATTERN_STEPS_MAX:,} steps together. "
                "Remove some, or shorten their repetitions.",
            )
            return
        warning = None if error else find_pattern_warning(pattern)
        if error:
            yield _error("trigger_patterns", error)
        elif warning:
            yield _warning("trigger_patterns", warning)
    if skill.trigger.type == "keyword" and not (skill.trigger.phrases or skill.trigger.patterns):
        yield _warning(
            "trigger_type",
            "The trigger type is keyword and there are no `triggers`: only the name's own words "
            "can find the skill.",
        )


def _check_tools(skill: Skill) -> _Found:
    lists = (
        ("allowed-tools", skill.allowed_tools or ()),
        ("tools", skill.tools),
        ("requires_tools", skill.requires_tools),
    )
    for field, names in lists:
        for name in names:
            if not is_known_tool(name):
                yield _warning(
                    field,
                    f"`{field}` names {name!r:.80}, which is no built-in tool: it counts only for "
                    "an agent that has a tool of this name.",
                )


def _check_steps(skill: Skill) -> _Found:
    if not skill.tools:
        return
    # Imported here: few skills have steps, and compositions bring the libraries of the engine.
    from dataagent_core.skills.skill_steps import find_step_problem

    problem = find_step_problem(skill)
    if problem:
        yield _warning("tools", f"The steps in `tools` cannot run, only the text counts: {problem}")


def _check_text(skill: Skill, lines: int | None) -> _Found:
    count = skill.content.count("\n") + 1 if lines is None else lines
    if count > SKILL_LINES_MAX:
        yield _warning(
            "",
            f"SKILL.md has {count:,} lines; more than {SKILL_LINES_MAX} cost every conversation "
            "that loads it. Move details into references/.",
        )
    if not skill.content.strip():
        yield _warning("", "SKILL.md has no text after the front matter: it teaches nothing.")
    known = {file.path for file in skill.files}
    for path in _linked_files(skill.content):
        if path.startswith("references/") and path.count("/") > 1:
            yield _warning(
                "",
                f"The text refers to {path!r:.120}. Keep references one level deep.",
            )
        if known and path not in known and not any(one.startswith(f"{path}/") for one in known):
            yield _warning("", f"The text refers to {path!r:.120}, which is not in the folder.")


def _linked_files(content: str) -> list[str]:
    """List the files of the skill that a text links to, once each."""
    text = _CODE_BLOCK.sub("", content)
    links = (link.removeprefix("./").rstrip("/") for link in _LINK.findall(text))
    return list(dict.fromkeys(link for link in links if link.startswith(_FOLDERS)))[
        :_LINKS_CHECKED_MAX
    ]
