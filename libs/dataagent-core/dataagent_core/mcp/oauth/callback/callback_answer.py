"""What a browser brings back from the authorization server, and whether it may be believed."""

import secrets
from dataclasses import dataclass
from typing import Self
from urllib.parse import parse_qs

from dataagent_core.errors import MCPServerError, ValidationError
from dataagent_core.mcp.oauth.addresses import origin
from dataagent_core.mcp.oauth.pending_flow import PendingFlow
from dataagent_core.mcp.oauth.server_words import clean_words
from dataagent_core.mcp.owner import Owner

_FIELDS = ("state", "code", "iss", "error", "error_description")
_PARAMETERS_MAX = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackAnswer:
    """The parameters of the redirect."""

    state: str
    code: str = ""
    iss: str | None = None
    error: str = ""
    error_description: str = ""

    @classmethod
    def from_query(cls, query: str) -> Self:
        """Read a query; one that says a thing twice says nothing."""
        try:
            found = parse_qs(query, keep_blank_values=True, max_num_fields=_PARAMETERS_MAX)
        except ValueError:
            found = {}
        once = {name: found[name][0] for name in _FIELDS if len(found.get(name, ())) == 1}
        return cls(
            state=once.get("state", ""),
            code=once.get("code", ""),
            iss=once.get("iss"),
            error=once.get("error", ""),
            error_description=once.get("error_description", ""),
        )


def is_answer_to(state: str, answer: CallbackAnswer) -> bool:
    """Compare states in a time that tells nothing."""
    return secrets.compare_digest(state.encode(), answer.state.encode("utf-8", "surrogatepass"))


def check_answer(flow: PendingFlow, answer: CallbackAnswer, owner: Owner, now: float) -> str:
    """Give the code of an answer that belongs to this sign-in, of this person, in time."""
    if flow.owner != owner or not is_answer_to(flow.state, answer) or flow.is_over(now):
        raise unknown_flow()
    _check_issuer(flow, answer.iss)
    if answer.error or not answer.code:
        reason = clean_words(f"{answer.error} {answer.error_description}") or "it gave no code"
        raise MCPServerError(flow.server, f"did not sign you in: {reason}. Try again.")
    return answer.code


def unknown_flow() -> ValidationError:
    """Say the same whatever is wrong: who guesses learns nothing."""
    return ValidationError(
        "This sign-in is not yours, was finished already, or took too long. Start it again."
    )


def _check_issuer(flow: PendingFlow, iss: str | None) -> None:
    """Refuse another server's answer (RFC 9207): its code would be sent to the wrong place."""
    if iss is None:
        wrong = "does not say who it is, although it promised to" if flow.iss_promised else ""
    elif flow.issuer_known:
        wrong = "" if iss == flow.issuer else f"says it is {clean_words(iss)!r}"
    else:
        wrong = "" if origin(iss) == origin(flow.issuer) else f"says it is {clean_words(iss)!r}"
    if wrong:
        raise MCPServerError(
            flow.server,
            f"was not signed in at: the answer should come from {clean_words(flow.issuer)!r}, but "
            f"{wrong}. Start again, and only in the page you were sent to.",
        )
