"""An elicitation of an MCP server, put to the person: a form to fill in or a page to visit.

The text says that the server asks, not DataAgent, and the person can decline.
"""

from collections.abc import Mapping
from typing import Any, cast

from dataagent_cli.approval.form import Ask, FormDialogue, write_behind_bar
from dataagent_cli.approval.question_box import write_choices, write_heading
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import spell_out
from dataagent_cli.output.streams import Output
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import ActionRequest, Decision


async def answer_elicitation(
    request: HITLRequestEvent, ask: Ask, output: Output, say: Messages
) -> Decision:
    """Show the question, then read the fields, a refusal, or the end of the run."""
    args = cast("ActionRequest", request.action_requests[0])["args"]
    show_elicitation(str(args.get("server", "")), request.question or "", output, say)
    write_behind_bar([request.context or ""], output)
    page = request.question_type == "url"
    write_choices(say("mcp_page_choices" if page else "mcp_form_choices").split("\n"), output)
    while True:
        match (await ask(say("choice"))).strip().lower():
            case "y" if page:
                return {"type": "answer", "answer": "visited"}
            case "y":
                schema = cast("Mapping[str, Any]", args["schema"])
                content = await FormDialogue(ask, output, say).fill(schema)
                return {"type": "answer", "answer": content}
            case "d":
                return {"type": "skip"}
            case "c":
                if why := (await ask(say("why_not"))).strip():
                    return {"type": "respond", "message": why}
            case "r":
                return {"type": "reject"}
            case _:
                output.note(say("mcp_bad_choice", choices="y, d, c, r"))


def show_elicitation(server: str, question: str, output: Output, say: Messages) -> None:
    """Write which server asks, and its question."""
    output.note()
    name = spell_out(server)
    write_heading(say("mcp_asks_you", name=name), output)
    write_behind_bar(question.splitlines(), output)
