"""The question about a call that waits until the person has signed in at its MCP server.

The sign-in itself is passed in (`mcp/client/login.py`).
"""

from collections.abc import Awaitable, Callable
from typing import cast

from dataagent_cli.approval.form import Ask, write_behind_bar
from dataagent_cli.approval.question_box import write_choices, write_heading
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import sanitize_text, spell_out
from dataagent_cli.output.streams import Output
from dataagent_core.errors import DataAgentError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import ActionRequest, Decision

# Signs in at a server (its name) with scopes (empty: the default ones), in a browser or by showing
# the address; raises a `DataAgentError` on failure.
SignInAt = Callable[[str, str, bool], Awaitable[None]]

_SIGNED_IN: Decision = {"type": "answer", "answer": "signed in"}


class SignInDialogue:
    """Asks, signs in, and lets the call continue; several calls may wait for one sign-in."""

    def __init__(self, sign_in: SignInAt, ask: Ask, output: Output, say: Messages) -> None:
        self._sign_in = sign_in
        self._ask = ask
        self._output = output
        self._say = say
        self._done: set[tuple[str, str]] = set()

    async def answer(self, request: HITLRequestEvent) -> Decision:
        """Sign in, continue without it, or end the run."""
        args = cast("ActionRequest", request.action_requests[0])["args"]
        server, scopes = str(args.get("server", "")), str(args.get("scopes", ""))
        if (server, scopes) in self._done and args.get("times_asked") == 1:
            # Another call waited for the same sign-in; if it is not enough, that call asks again.
            return _SIGNED_IN
        say, output = self._say, self._output
        output.note()
        head = say("mcp_wants_sign_in", name=spell_out(server))
        write_heading(head, output)
        write_behind_bar([*(request.question or "").splitlines(), request.context or ""], output)
        write_choices(say("mcp_sign_in_choices").split("\n"), output)
        while True:
            choice = (await self._ask(say("choice"))).strip().lower()
            if choice in {"b", "u"}:
                if await self._try_sign_in(server, scopes, browser=choice == "b"):
                    return _SIGNED_IN
            elif decision := await self._decide_without(choice):
                return decision

    async def _try_sign_in(self, server: str, scopes: str, *, browser: bool) -> bool:
        try:
            await self._sign_in(server, scopes, browser)
        except DataAgentError as error:
            text = self._say("error", text=sanitize_text(str(error)))
            self._output.note(text, fg="red")
            return False
        self._done.add((server, scopes))
        self._output.note(self._say("mcp_signed_in", name=spell_out(server)))
        return True

    async def _decide_without(self, choice: str) -> Decision | None:
        match choice:
            case "s":
                return {"type": "skip"}
            case "n":
                why = (await self._ask(self._say("why_not"))).strip()
                return {"type": "respond", "message": why} if why else None
            case "r":
                return {"type": "reject"}
            case _:
                self._output.note(self._say("mcp_bad_choice", choices="b, u, s, n, r"))
                return None
