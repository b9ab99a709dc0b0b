"""The JSON form that the answer of a run must have: instructions, check and error report.

The instructions go with the user message, not into the system prompt, so that the provider's cache
stays valid. The JSON document is found in the answer with or without a code fence, and is returned
exactly as it was checked. A schema may come from anybody and its patterns can take hours, so the
check runs in a child process with a time limit.
"""

import asyncio
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from langchain_core.messages import HumanMessage

from dataagent_core.config.limits.answers import (
    ANSWER_CHECK_S_MAX,
    ANSWER_CORRECTIONS_MAX,
    ANSWER_DEPTH_MAX,
    ANSWER_PROBLEM_CHARS_MAX,
    ANSWER_PROBLEMS_TOLD_MAX,
)
from dataagent_core.engine.checkpoints.history import Graph, thread
from dataagent_core.errors import ModelError, ValidationError
from dataagent_core.events import WarningEvent
from dataagent_core.mcp.tools.schema_walk import depth_of
from dataagent_core.session import Run

_CHECKER = Path(__file__).with_name("checker.py")


async def problems_of(
    document: str, schema: Mapping[str, Any], seconds_max: float = ANSWER_CHECK_S_MAX
) -> list[str]:
    """List what is wrong with a document; raise if the schema cannot be evaluated."""
    request = {
        "schema": schema,
        "document": document,
        "problems_max": ANSWER_PROBLEMS_TOLD_MAX,
        "chars_max": ANSWER_PROBLEM_CHARS_MAX,
        "cpu_s_max": seconds_max,
    }
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        str(_CHECKER),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(seconds_max):
            output, error_output = await child.communicate(json.dumps(request).encode())
    except TimeoutError:
        raise ValidationError(
            f"the answer's schema is too costly: checking an answer took over {seconds_max:g} s. "
            "Simplify its patterns and alternatives."
        ) from None
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        last = error_output.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ValidationError(
            f"the answer's schema cannot be worked out: {last or 'the check ended'!s:.300}"
        )
    return json.loads(output)


_FORM = """\
{message}

<answer_format>
Whatever you do on the way, your final answer to this message must be one JSON document that is
valid against the JSON Schema below: the document alone, no words before or after it. It is checked
by a program.

{schema}
</answer_format>"""
_RETRY = """\
Your final answer does not have the form that was asked for:
{problems}

Answer again: the whole JSON document, corrected, and nothing else."""


def with_form(message: str, schema: Mapping[str, Any]) -> str:
    """Add to a message the instructions for the form of its answer."""
    return _FORM.format(message=message, schema=json.dumps(schema, ensure_ascii=False))


def make_retry_message(problems: Sequence[str]) -> str:
    """Make the text that lists the problems and asks for a corrected answer."""
    return _RETRY.format(problems="\n".join(f"- {problem}" for problem in problems))


_FENCED = re.compile(r"\A```[a-zA-Z]*[ \t]*\n(.*?)\n?[ \t]*```\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NoDocument:
    """Why a text is no JSON document."""

    problem: str


def document_in(text: str) -> str | NoDocument:
    """Return the JSON document of a text, with or without a fence around it."""
    stripped = text.strip().removeprefix("\ufeff")
    fenced = _FENCED.match(stripped)
    document = fenced.group(1).strip() if fenced else stripped
    problem = _find_problem(document)
    return document if problem is None else NoDocument(problem)


def _find_problem(document: str) -> str | None:
    if not document:
        return "the answer is empty"
    try:
        value = json.loads(
            document, parse_constant=_refuse_constant, object_pairs_hook=_refuse_repeated_names
        )
    except RecursionError:
        return f"the document is nested deeper than {ANSWER_DEPTH_MAX} levels"
    except ValueError as error:
        return f"the answer is not a JSON document: {error}"
    if depth_of(value, ANSWER_DEPTH_MAX) > ANSWER_DEPTH_MAX:
        return f"the document is nested deeper than {ANSWER_DEPTH_MAX} levels"
    return None


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def _refuse_repeated_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # Parsers differ in which of two values counts: the checked document must be unambiguous.
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {repeated!r:.100} stands twice in one object")
    return made


@dataclass(frozen=True, slots=True)
class AnswerProblems:
    """Why an answer is not in form."""

    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """A checked schema, and what is done with it."""

    schema: Mapping[str, Any]

    def add_to(self, message: str) -> str:
        """Add to a message the instructions for the form of its answer."""
        return with_form(message, self.schema)

    async def check(self, answer: str) -> str | AnswerProblems:
        """Return the document of an answer, or why it does not fit."""
        document = document_in(answer)
        if isinstance(document, NoDocument):
            return AnswerProblems((document.problem,))
        problems = await problems_of(document, self.schema)
        return AnswerProblems(tuple(problems)) if problems else document

    async def correction(self, graph: Graph, run: Run, found: AnswerProblems) -> HumanMessage:
        """Make the message that asks for a corrected answer; raise after too many."""
        state = await graph.aget_state(thread(run.run_id))
        known = state.values.get("messages", [])
        corrections = sum(
            str(message.id).startswith(_correction_id_prefix(run)) for message in known
        )
        if corrections >= ANSWER_CORRECTIONS_MAX:
            raise ModelError(
                f"the answer did not fit its schema in {corrections + 1} tries: "
                f"{'; '.join(found.problems)}. Simplify the schema, or choose another model."
            )
        text = make_retry_message(found.problems)
        return HumanMessage(content=text, id=f"{_correction_id_prefix(run)}{corrections + 1}")


def make_form_warning(found: AnswerProblems) -> WarningEvent:
    """Make the event that says that a corrected answer is requested."""
    problems = "; ".join(found.problems)
    message = f"the answer does not fit its schema and is asked for again: {problems}"
    return WarningEvent(code="ANSWER_NOT_IN_FORM", message=message)


def _correction_id_prefix(run: Run) -> str:
    return f"{run.run_id}:again"
