"""What whoever delegated reads of a task: who reports, the report, and where it comes from. Pure.

The sources are the results and files that the sub-agent's tools gave, so that a figure of the
report can be traced and a file found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from dataagent_core.config.limits.subagents import SUBAGENT_SOURCES_MAX
from dataagent_core.engine.delegation.subagent_turns import OUT_OF_TURNS_KEY
from dataagent_core.tools.data.receipts.result_facts import read_result_facts
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY

_DONE_CHARS_MAX: Final = 200
_HEADING: Final = "Report of the sub-agent {name}:"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentReport:
    """What a sub-agent answers, or why it has none."""

    name: str
    text: str
    sources: tuple[str, ...] = ()
    failed: bool = False
    timed_out: bool = False
    # Why it ended early, if it did.
    reason: str = ""

    def render(self) -> str:
        """Return the report as the delegating model reads it."""
        if self.failed:
            return f"The sub-agent {self.name} failed. {self.text}"
        lines = [_HEADING.format(name=self.name), self.text]
        if self.reason:
            lines.append(f"({self.reason})")
        if self.sources:
            lines.append(f"Sources of {self.name}: {', '.join(self.sources)}")
        return "\n".join(lines)


def read_report(name: str, text: str) -> str:
    """Return what a report says, without its heading."""
    return text.removeprefix(f"{_HEADING.format(name=name)}\n")


def make_report(name: str, messages: Sequence[BaseMessage]) -> SubAgentReport:
    """Make the report of a task from its messages."""
    last = messages[-1] if messages else None
    wanted = last.additional_kwargs.get(OUT_OF_TURNS_KEY) if isinstance(last, AIMessage) else None
    if wanted is None:
        return SubAgentReport(name=name, text=_last_text(messages), sources=_sources(messages))
    answer = last.text.strip() if last is not None else ""
    done = "\n".join(["What it did so far:", *_list_results(messages)])
    return SubAgentReport(
        name=name,
        text=f"{answer}\n{done}".strip(),
        sources=_sources(messages),
        reason=f"It used all its turns and wanted to call {wanted} next.",
    )


def _last_text(messages: Sequence[BaseMessage]) -> str:
    """Return the last answer that says something; some providers end with an empty one."""
    answers = (m.text.rstrip() for m in reversed(messages) if isinstance(m, AIMessage))
    return next((text for text in answers if text), "")


def _list_results(messages: Sequence[BaseMessage]) -> Iterator[str]:
    for message in messages:
        if isinstance(message, ToolMessage):
            text = " ".join(message.text.split())
            yield f"- {message.name}: {text:.{_DONE_CHARS_MAX}}"


def _sources(messages: Sequence[BaseMessage]) -> tuple[str, ...]:
    found = (source for message in messages for source in _sources_of(message))
    return tuple(dict.fromkeys(found))[:SUBAGENT_SOURCES_MAX]


def _sources_of(message: BaseMessage) -> Iterator[str]:
    attached = message.artifact if isinstance(message, ToolMessage) else None
    if not isinstance(attached, dict):
        return
    facts = read_result_facts(attached)
    if facts is not None:
        yield f"result {facts['result_id']}"
    listed: Any = attached.get(ARTIFACTS_KEY)
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict) and isinstance(item.get("path"), str):
            yield item["path"]
