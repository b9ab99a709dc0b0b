"""What a person asked in one message: their words, and the form the answer must have, if any."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from langchain_core.messages import HumanMessage

from dataagent_core.engine.answer_form import AnswerForm
from dataagent_core.session import check_prompt
from dataagent_core.session.prompt import own_words
from dataagent_core.unicode import storable


@dataclass(frozen=True, slots=True)
class Said:
    """A message and what came with it."""

    text: str
    form: AnswerForm | None = None
    # What of it the person wrote themselves.
    own: str = ""

    @classmethod
    def of(cls, text: str, context: Mapping[str, Any] | None) -> Self:
        """Read a message together with its context, new or as it was stored."""
        return cls(text, AnswerForm.of(context), own_words(text, context or {}))

    def message(self, message_id: str) -> HumanMessage:
        """Make what the model is given; a message not worth a call is refused."""
        check_prompt(self.text)
        told = self.form.told_with(self.text) if self.form else self.text
        return HumanMessage(content=storable(told), id=message_id)
