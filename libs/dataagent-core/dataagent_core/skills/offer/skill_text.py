"""What the model reads of a skill it loads: what holds from now on, its files, its body. Pure."""

from collections.abc import Iterable, Sequence

from dataagent_core.config.limits.offered_skills import SKILL_FILES_SHOWN_MAX
from dataagent_core.permissions.active_skills import ActiveSkill, lists_tool
from dataagent_core.permissions.foreign_tools import read_tool_name
from dataagent_core.permissions.tool_groups import GROUPS
from dataagent_core.skills.offer.agent_skills import SkillPlace
from dataagent_core.skills.skill import Skill, SkillFile
from dataagent_core.skills.skill_steps import find_step_problem


def describe_skill(skill: Skill, place: SkillPlace, active: Sequence[ActiveSkill]) -> str:
    """Write a skill for the model that loaded it; `active` are all skills that narrow it now."""
    parts = [
        f"Skill {skill.name} ({skill.scope} {skill.version}) is active until this run ends.",
        *_render_narrowing(skill, active),
        *_render_steps(skill),
        *_render_files(skill, place),
    ]
    return "\n".join(parts) + f"\n\n{skill.content.strip()}\n"


def _render_narrowing(skill: Skill, active: Sequence[ActiveSkill]) -> Iterable[str]:
    if skill.allowed_tools is None:
        return
    listed = ", ".join(skill.allowed_tools) or "none"
    yield f"While it is active only these tools run, besides plans, questions and skills: {listed}."
    others = [one for one in active if one.name != skill.name]
    for entry in skill.allowed_tools:
        tools = _list_tools(entry)
        out = [one.name for one in others if not _lists_any(one.allowed_tools, tools)]
        if out:
            yield f"{entry} stays out: the active skill {out[0]!r} does not list it."


def _list_tools(entry: str) -> Iterable[str]:
    """List the tools that an entry of a list means, without what it has in brackets."""
    return GROUPS.get(entry) or read_tool_name(entry).tools


def _lists_any(allowed_tools: Sequence[str] | None, tools: Iterable[str]) -> bool:
    # Which tools a pattern names is known only when one is called.
    return any("*" in tool or lists_tool(allowed_tools, tool) for tool in tools)


def _render_steps(skill: Skill) -> Iterable[str]:
    if skill.tools and find_step_problem(skill) is None:
        yield (
            f"It has steps of its own: {' > '.join(skill.tools)}. skill(name={skill.name!r}, "
            "inputs={...}) runs them; without a template of its own, inputs are the arguments of "
            "each step by its number or its tool."
        )


def _render_files(skill: Skill, place: SkillPlace) -> Iterable[str]:
    if not skill.files:
        return
    shown = skill.files[:SKILL_FILES_SHOWN_MAX]
    yield f"Its files are in {skill.path}/; read them with read_file when the text needs them:"
    yield from (f"- {skill.path}/{file.path} ({file.size_bytes} bytes)" for file in shown)
    if len(skill.files) > len(shown):
        yield f"- and {len(skill.files) - len(shown)} more; ls lists them"
    if any(_is_script(file) for file in skill.files):
        yield from _render_place(skill, place)


def _is_script(file: SkillFile) -> bool:
    return file.executable or file.path.startswith("scripts/")


def _render_place(skill: Skill, place: SkillPlace) -> Iterable[str]:
    match place:
        case "mounted":
            yield "Commands and Python find them at the same paths, read-only."
        case "host":
            yield f"Commands run on the host itself, which has them in {skill.folder}/."
        case "elsewhere":
            yield (
                "Commands run on another machine, which does not have them: to run a script, read "
                "it with read_file and write it into the workspace with write_file."
            )
        case "none":
            yield "Its scripts cannot run: there is no sandbox. Do their work with your tools."
