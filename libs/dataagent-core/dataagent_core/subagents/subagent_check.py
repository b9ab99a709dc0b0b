"""What a sub-agent must have before it is stored or written: name, description and prompt."""

import re

from dataagent_core.config.limits.subagents import (
    SUBAGENT_DESCRIPTION_CHARS_MAX,
    SUBAGENT_EXAMPLES_MAX,
    SUBAGENT_NAME_CHARS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.subagents.subagent import SubAgent

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_OTHERS = re.compile(r"[^a-z0-9]+")


def make_name(text: str) -> str:
    """Make a name of what somebody wrote; empty when nothing of it can be used."""
    return _OTHERS.sub("-", text.lower()).strip("-")[:SUBAGENT_NAME_CHARS_MAX].strip("-")


def check_subagent(subagent: SubAgent) -> None:
    """Refuse a sub-agent that could not be called, chosen or told what to do."""
    name = subagent.name
    if not _NAME.fullmatch(name) or len(name) > SUBAGENT_NAME_CHARS_MAX:
        raise ValidationError(
            f"{name!r:.80} cannot be the name of a sub-agent: use up to {SUBAGENT_NAME_CHARS_MAX} "
            "small letters, digits and single hyphens, as in code-reviewer."
        )
    trigger = subagent.trigger
    if not trigger.description.strip():
        raise ValidationError(f"The sub-agent {name!r} needs a description: when is it chosen?")
    if len(trigger.description) > SUBAGENT_DESCRIPTION_CHARS_MAX:
        raise ValidationError(
            f"The description of {name!r} has {len(trigger.description):,} characters, "
            f"{SUBAGENT_DESCRIPTION_CHARS_MAX:,} are possible: shorten it."
        )
    for what, listed in (("examples", trigger.examples), ("keywords", trigger.keywords)):
        if len(listed) > SUBAGENT_EXAMPLES_MAX:
            raise ValidationError(
                f"{name!r} has {len(listed)} {what}, {SUBAGENT_EXAMPLES_MAX} are possible."
            )
    if not subagent.system_prompt.strip():
        raise ValidationError(f"The sub-agent {name!r} needs a prompt: what does it have to do?")
