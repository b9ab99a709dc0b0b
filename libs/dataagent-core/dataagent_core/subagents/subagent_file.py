"""Reads and writes a sub-agent as a file: front matter, then its prompt.

`.dataagent/agents/reviewer.md` as people know it from other tools. Reading is lenient: fields and
tools of Claude Code and opencode are understood or passed over with a warning. Writing is strict.
Folders of such files are read in `subagent_folder.py`.
"""

import re
from dataclasses import replace
from typing import Any, Final, cast, get_args

import yaml

from dataagent_core.config.files.front_matter import make_repeated_key_error, read_front_matter
from dataagent_core.config.limits.subagents import (
    SUBAGENT_ANSWER_TOKENS_MAX,
    SUBAGENT_FILE_BYTES_MAX,
    SUBAGENT_ITERATIONS_MAX,
    TEMPERATURE_MAX,
)
from dataagent_core.errors import ConfigurationError, FrontMatterError
from dataagent_core.models.providers import PROVIDERS
from dataagent_core.models.spec import ALIASES, parse_spec
from dataagent_core.permissions.rule_files.rule_file import rules_of
from dataagent_core.permissions.rules import Rule
from dataagent_core.subagents.field_reader import FieldReader
from dataagent_core.subagents.subagent import (
    INHERIT,
    AgentColor,
    SubAgent,
    SubAgentTrigger,
)
from dataagent_core.subagents.subagent_check import check_subagent, make_name
from dataagent_core.subagents.tool_fields import RULES_SOURCE, read_tool_fields

_COLORS: Final = {"pink": "red", "cyan": "teal", "grey": "gray", "magenta": "purple"}
# Claude Code puts what a person might say into its description.
_EXAMPLE = re.compile(
    r"<example>(?:(?!<example>|user:).)*+user:\s*+[\"“]?(?P<text>[^\n\"”]+)",
    re.DOTALL | re.IGNORECASE,
)
_DEFAULTS: Final = SubAgent(
    id="", name="", trigger=SubAgentTrigger(description=""), system_prompt=""
)


# PyYAML writes the line breaks of other scripts as they are, and reads them as spaces.
_LINE_BREAKS = re.compile("[\x0b-\x0d\x1c-\x1e\x85\u2028\u2029]")


class _Dumper(yaml.SafeDumper):
    """Writes texts so that they read back the same."""

    def represent_text(self, text: str) -> yaml.ScalarNode:
        style = '"' if _LINE_BREAKS.search(text) else None
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _Dumper.represent_text)


def parse_subagent(text: str, stem: str) -> SubAgent:
    """Read a file; `stem` is its name without `.md`. A broken one is a `FrontMatterError`."""
    read = read_front_matter(text, f"{stem}.md", SUBAGENT_FILE_BYTES_MAX)
    prompt = read.body.strip()
    if not prompt:
        raise FrontMatterError(
            f"{stem}.md has no prompt: write what the sub-agent has to do below the second ---.",
            line=read.body_line,
            column=1,
        )
    fields = FieldReader(read.fields, read.places)
    for field in read.repaired:
        fields.warn(field, f"the value of {field!r} needs quotes and has none; it is read as text.")
    for value in read.misread:
        message = f"{value.text!r:.60} is no {value.kind}; it is read as text."
        fields.warn("", message, value.place)
    name = _read_name(fields, stem)
    trigger = _read_trigger(fields, prompt)
    tools = read_tool_fields(fields)
    mode = fields.text("mode")
    if mode not in {"", "subagent", "all"}:
        fields.warn("mode", f"'mode' is {mode!r}; it is read as a sub-agent.")
    enabled, disabled = fields.flag("enabled"), fields.flag("disable")
    temperature = fields.number("temperature", least=0, most=TEMPERATURE_MAX)
    subagent = SubAgent(
        id=name,
        name=name,
        display_name=fields.text("display_name"),
        trigger=trigger,
        system_prompt=prompt,
        model=_read_model(fields),
        color=_read_color(fields),
        allowed_tools=tools.allowed,
        allowed_skills=fields.names("skills", "allowed_skills"),
        allowed_mcp_servers=_read_servers(fields),
        rules=(*tools.rules, *_read_rules(fields)),
        requires_tools=fields.names("requires_tools") or (),
        max_tokens=fields.whole_number("max_tokens", most=SUBAGENT_ANSWER_TOKENS_MAX)
        or _DEFAULTS.max_tokens,
        temperature=_DEFAULTS.temperature if temperature is None else temperature,
        top_p=fields.number("top_p", least=0, most=1),
        max_iterations=fields.whole_number(
            "max_iterations",
            "maxTurns",
            "max_turns",
            "steps",
            "maxSteps",
            most=SUBAGENT_ITERATIONS_MAX,
        )
        or _DEFAULTS.max_iterations,
        hidden=fields.flag("hidden") or False,
        enabled=enabled is not False and not disabled,
        version=fields.text("version") or _DEFAULTS.version,
    )
    for repeated in read.repeated:
        if fields.was_taken(repeated.field):
            raise make_repeated_key_error(f"{stem}.md", repeated)
        fields.warn(repeated.field, f"{repeated.key!r} is given twice; the last one counts.")
    fields.warn_of_unknown()
    return replace(subagent, warnings=tuple(fields.warnings))


def render_subagent(subagent: SubAgent) -> str:
    """Write a sub-agent as a file that reads back the same."""
    check_subagent(subagent)
    trigger = subagent.trigger
    fields: dict[str, Any] = {"name": subagent.name}
    if subagent.display_name:
        fields["display_name"] = subagent.display_name
    fields["description"] = trigger.description
    if trigger.examples or _EXAMPLE.search(trigger.description):
        fields["examples"] = list(trigger.examples)
    for key, value in (
        ("keywords", trigger.keywords or None),
        ("tools", subagent.allowed_tools),
        ("skills", subagent.allowed_skills),
        ("mcp_servers", subagent.allowed_mcp_servers),
        ("requires_tools", subagent.requires_tools or None),
    ):
        if value is not None:
            fields[key] = list(value)
    for key in (
        "model",
        "color",
        "temperature",
        "top_p",
        "max_tokens",
        "max_iterations",
        "hidden",
        "enabled",
        "version",
    ):
        value = getattr(subagent, key)
        if value != getattr(_DEFAULTS, key):
            fields[key] = value
    if subagent.rules:
        fields["rules"] = [
            {"action": rule.action, "tool": rule.tool, "resource": rule.resource}
            for rule in subagent.rules
        ]
    head = yaml.dump(fields, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000)
    return f"---\n{head}---\n\n{subagent.system_prompt}\n"


def _read_name(fields: FieldReader, stem: str) -> str:
    written = fields.text("name") or stem
    name = make_name(written) or make_name(stem)
    if not name:
        raise FrontMatterError(
            f"{stem}.md has the name {written!r:.80}: a name is made of small letters, digits and "
            "single hyphens, as in code-reviewer.",
            **fields.find_place("name")._asdict(),
        )
    if name != written:
        fields.warn("name", f"'name' is {written!r:.80}; the sub-agent is called {name!r}.")
    return name


def _read_trigger(fields: FieldReader, prompt: str) -> SubAgentTrigger:
    inner = fields.nested("trigger")
    description = fields.text("description") or inner.text("description")
    if not description:
        description = prompt.splitlines()[0].lstrip("# ").strip() or prompt
        fields.warn(
            "description", "'description' is missing; the first line of the prompt stands for it."
        )
    # An empty list means none, also where the description has some.
    is_listed = "examples" in fields
    examples = fields.texts("examples") or inner.texts("examples")
    if not examples and not is_listed:
        found = _EXAMPLE.finditer(description)
        examples = tuple(each["text"].strip() for each in found)
    keywords = fields.texts("keywords") or inner.texts("keywords")
    inner.warn_of_unknown()
    fields.warnings += inner.warnings
    return SubAgentTrigger(description=description, examples=examples, keywords=keywords)


def _read_model(fields: FieldReader) -> str:
    written = fields.text("model")
    if written in {"", INHERIT}:
        return INHERIT
    provider, slash, name = written.partition("/")
    if slash and ":" not in written and ALIASES.get(provider, provider) in PROVIDERS:
        return str(parse_spec(f"{provider}:{name}"))
    try:
        return str(parse_spec(written))
    except ConfigurationError:
        fields.warn(
            "model",
            f"'model' is {written!r:.80}, which is no provider:name; the agent's model is used.",
        )
        return INHERIT


def _read_color(fields: FieldReader) -> AgentColor:
    written = fields.text("color").lower()
    color = _COLORS.get(written, written)
    if color in get_args(AgentColor):
        return cast("AgentColor", color)
    if color:
        fields.warn("color", f"'color' is {written!r:.80}; {_DEFAULTS.color} is used.")
    return _DEFAULTS.color


def _read_servers(fields: FieldReader) -> tuple[str, ...] | None:
    """Read the names of servers; other tools may define a server where its name stands."""
    value = fields.take_limit("mcp_servers", "allowed_mcp_servers", "mcpServers")
    if isinstance(value, dict):
        value = list(cast("dict[object, object]", value))
    if isinstance(value, list):
        found = cast("list[object]", value)
        value = [_first_key(one) for one in found]
    return fields.split(value, "mcp_servers")


def _first_key(value: object) -> object:
    if isinstance(value, dict):
        return next(iter(cast("dict[object, object]", value)), "")
    return value


def _read_rules(fields: FieldReader) -> tuple[Rule, ...]:
    value = fields.take("rules")
    if value is None:
        return ()
    try:
        return rules_of({"rules": value}, "rules", RULES_SOURCE)
    except ConfigurationError as error:
        # A rule that is passed over would widen what the sub-agent may do.
        raise FrontMatterError(str(error), **fields.find_place("rules")._asdict()) from error
