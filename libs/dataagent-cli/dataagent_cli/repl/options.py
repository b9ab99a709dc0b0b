"""Checks the options of `dataagent`. Pure."""

from pathlib import Path

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.messages import Messages
from dataagent_cli.remote.address import RemoteServer
from dataagent_core.errors import ValidationError
from dataagent_core.events.system import Mode
from dataagent_core.ids import checked_id


def make_conversation_request(
    say: Messages,
    workspace: Path,
    *,
    last: bool,
    session: str | None,
    resume: str | None,
    model: str | None,
    mode: Mode | None,
    sandbox_type: str | None,
    sandbox_id: str | None,
    unsafe_host_shell: bool,
    server: RemoteServer | None = None,
) -> ConversationRequest:
    """Make the request; two named sessions are refused, an empty `resume` means to choose."""
    if sum((last, session is not None, resume is not None)) > 1:
        raise ValidationError(say("repl_one_session"))
    here = {
        "--model": model,
        "--sandbox": sandbox_type,
        "--sandbox-id": sandbox_id,
        "--unsafe-host-shell": unsafe_host_shell,
    }
    given = next((option for option, value in here.items() if value), None)
    if server is not None and given is not None:
        raise ValidationError(say("remote_not_with", option=given))
    named = session or resume or None
    if named is not None:
        checked_id(named, "session id")
    return ConversationRequest(
        workspace=workspace.resolve(),
        session_id=named,
        last=last,
        choose=resume == "",
        must_exist=resume is not None,
        model=model,
        mode=mode,
        sandbox_type=sandbox_type,
        sandbox_id=sandbox_id,
        unsafe_host_shell=unsafe_host_shell,
        server=server,
        person_is_there=True,
        background_tasks=True,
    )
