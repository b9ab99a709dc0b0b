"""A server's question as a person reads it, and how it is put (`elicitation` in the log).

The words are the server's, and whoever reads them must know. A person may answer it (`answer`),
tell the server no (`skip`), leave it and tell the agent why (`respond`), or end the run (`reject`).
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from dataagent_core.config.limits import QUESTION_CHARS_MAX, QUESTION_OPTIONS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.hitl import ActionRequest, hash_of_args
from dataagent_core.mcp.ports import Elicitation
from dataagent_core.mcp.tools.clean_text import clean_text, in_one_line
from dataagent_core.mcp.tools.elicitation_form import check_form, choices_of

_URL_CHARS_MAX = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ElicitationRequest:
    """What is asked: fields to fill in, or a page to visit."""

    server: str
    tool: str
    message: str
    schema: dict[str, Any]
    url: str

    @property
    def args(self) -> dict[str, Any]:
        """What an answer is bound to."""
        asked = {"url": self.url} if self.url else {"schema": self.schema}
        return {"server": self.server, "message": self.message, **asked}

    def action(self, name: str, call_id: str, key: str) -> ActionRequest:
        """Put it as an action of the call that it belongs to."""
        return {
            "name": name,
            "args": self.args,
            "description": f"{self.server} asks: {self.message}",
            "tool_call_id": call_id,
            "call_key": key,
            "args_hash": hash_of_args(self.args),
        }

    def request(self, action: ActionRequest, problem: str) -> dict[str, Any]:
        """Write it as what the run waits for; `problem` is what was wrong with the last answer."""
        again = f"The last answer did not fit: {problem} " if problem else ""
        return {
            "kind": "elicitation",
            "question": f"{self.message}\n{self.url}".strip(),
            "question_type": "url" if self.url else "form",
            "context": again + self._whose_words(),
            "options": self._options(),
            "action_requests": [action],
            "required": True,
        }

    def _whose_words(self) -> str:
        do = (
            "Open the page only if you trust that server; answer when you have been there."
            if self.url
            else "Give it only what it may have, and never a password."
        )
        return (
            f"The MCP server {self.server!r} asks this in the middle of {self.tool!r}. The words "
            f"are the server's own, and nobody has checked them. {do}"
        )

    def _options(self) -> list[dict[str, Any]]:
        # A single choice can be shown like any question with options.
        fields = list(self.schema.get("properties", {}).values())
        labels = list(choices_of(fields[0])) if len(fields) == 1 else []
        return [{"label": label, "description": ""} for label in labels[:QUESTION_OPTIONS_MAX]]


def question_from(elicitation: Elicitation, server: str, tool: str) -> ElicitationRequest:
    """Read what a server wants, or say in a `ValidationError` why it cannot be put to anybody."""
    message = clean_text(elicitation.message, QUESTION_CHARS_MAX)
    url = elicitation.url
    if url:
        plain = len(url) <= _URL_CHARS_MAX and url == in_one_line(url, _URL_CHARS_MAX)
        if not plain or urlsplit(url).scheme not in {"http", "https"}:
            raise ValidationError(f"the server wants a person to open {url!r:.100}; no web page.")
        return ElicitationRequest(server=server, tool=tool, message=message, schema={}, url=url)
    schema = check_form(elicitation.schema)
    return ElicitationRequest(server=server, tool=tool, message=message, schema=schema, url="")
