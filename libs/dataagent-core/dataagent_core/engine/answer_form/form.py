"""The form a run's answer must have: judges an answer, and says what to tell the model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from langchain_core.messages import HumanMessage

from dataagent_core.config.answer_limits import ANSWER_CORRECTIONS_MAX
from dataagent_core.engine.answer_form.checking import problems_of
from dataagent_core.engine.answer_form.document import NoDocument, document_in
from dataagent_core.engine.answer_form.schema import ANSWER_SCHEMA_KEY, checked_answer_schema
from dataagent_core.engine.answer_form.telling import asking_again, with_form
from dataagent_core.engine.history import Graph, thread
from dataagent_core.errors import ModelError
from dataagent_core.events import WarningEvent
from dataagent_core.session import Run


@dataclass(frozen=True, slots=True)
class AnswerProblems:
    """Why an answer is not in form."""

    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """A checked schema, and what is done with it."""

    schema: Mapping[str, Any]

    @classmethod
    def of(cls, context: Mapping[str, Any] | None) -> Self | None:
        """Take the form that came with a message, if one did."""
        schema = (context or {}).get(ANSWER_SCHEMA_KEY)
        return None if schema is None else cls(checked_answer_schema(schema))

    def add_to(self, message: str) -> str:
        """Say to a message which form its answer must have."""
        return with_form(message, self.schema)

    async def check(self, answer: str) -> str | AnswerProblems:
        """Return the document an answer is, or why it does not fit."""
        document = document_in(answer)
        if isinstance(document, NoDocument):
            return AnswerProblems((document.problem,))
        problems = await problems_of(document, self.schema)
        return AnswerProblems(tuple(problems)) if problems else document

    async def correction(self, graph: Graph, run: Run, found: AnswerProblems) -> HumanMessage:
        """Make the message that asks again; an error once that was done often enough."""
        state = await graph.aget_state(thread(run.run_id))
        known = state.values.get("messages", [])
        asked = sum(str(message.id).startswith(_prefix(run)) for message in known)
        if asked >= ANSWER_CORRECTIONS_MAX:
            raise ModelError(
                f"the answer did not fit its schema in {asked + 1} tries: "
                f"{'; '.join(found.problems)}. Simplify the schema, or choose another model."
            )
        text = asking_again(found.problems)
        return HumanMessage(content=text, id=f"{_prefix(run)}{asked + 1}")


def warning_of(found: AnswerProblems) -> WarningEvent:
    """Say in an event that an answer was sent back."""
    problems = "; ".join(found.problems)
    message = f"the answer does not fit its schema and is asked for again: {problems}"
    return WarningEvent(code="ANSWER_NOT_IN_FORM", message=message)


def _prefix(run: Run) -> str:
    return f"{run.run_id}:again"
