"""Asks a person to sign in when a server refused a call; the request has the kind `oauth`.

The refused call did nothing. The run waits (an interrupt), and after the answer the call is made
again: with new tokens it succeeds and the answer is not read; refused again, the answer says
whether to ask once more or to continue without. On a server the person signs in at its page
(`MCPToolContext`), in a terminal at the prompt.
"""

from typing import Any

from dataagent_core.config.limits.mcp import MCP_AUTH_SCOPE_CHARS_MAX
from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.hitl import ActionRequest, hash_of_args
from dataagent_core.mcp.tools.clean_text import in_one_line
from dataagent_core.mcp.tools.elicitation import decision_on, sign_in_key
from dataagent_core.tools.pipeline.agent_call import RunningCall


def ask_to_sign_in(
    needed: SignInNeededError, number: int, running: RunningCall, tool: str, url: str
) -> None:
    """Return when the person says that they have, put the run away until then, or raise.

    `number` counts how often this call asks; `url` is where they sign in, empty where whoever
    answers sees to it.
    """
    call = running.call
    args = {
        "server": needed.server,
        "tool": tool,
        "scopes": in_one_line(needed.scopes, MCP_AUTH_SCOPE_CHARS_MAX),
        "url": url,
        "times_asked": number,
    }
    action: ActionRequest = {
        "name": call.name,
        "args": args,
        "description": f"{needed.server} wants you to sign in",
        "tool_call_id": call.call_id,
        "call_key": sign_in_key(call, number),
        "args_hash": hash_of_args(args),
    }
    decision = decision_on("oauth", _request(action), action, running.context)
    match decision and decision["type"]:
        case "answer" | "approve":
            return
        case "respond":
            said = decision.get("message") if decision else ""
            raise not_signed_in(needed, f" The person did not sign in, and says: {said}")
        case _:
            raise not_signed_in(needed)


def not_signed_in(needed: SignInNeededError, said: str = "") -> MCPServerError:
    """Tell the agent why the tool was not called."""
    return MCPServerError(
        needed.server,
        f"needs the person to sign in before this tool can be used, so it was not called.{said} "
        f"They sign in with `dataagent mcp login {needed.server}`, or on a server with POST "
        f"/api/v1/mcp/servers/{needed.server}/login. Go on without it, and call it again only "
        "when they say that they have.",
    )


def _request(action: ActionRequest) -> dict[str, Any]:
    args = action["args"]
    rights = f" with these rights: {args['scopes']}" if args["scopes"] else ""
    question = (
        f"Sign in at the MCP server {args['server']!r}{rights}. Without it {args['tool']!r} cannot "
        f"be called.\n{args['url']}"
    )
    again = (
        "It was called again and refused again: you are not signed in there, or without the rights "
        "it wants. "
        if args["times_asked"] > 1
        else ""
    )
    return {
        "kind": "oauth",
        "question": question.strip(),
        "question_type": "url" if args["url"] else "sign_in",
        "context": f"{again}The server refused the call until you sign in with your own account "
        "there; what you are given is used for you alone. The run goes on when you have.",
        "action_requests": [action],
        "required": True,
    }
