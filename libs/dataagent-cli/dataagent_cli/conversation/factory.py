"""Makes a conversation with its workbench, in this process or with a server: the one place."""

from typing import Protocol

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.local.conversation import LocalConversation
from dataagent_cli.conversation.local.parts import Terminal, open_parts
from dataagent_cli.conversation.local.workbench import LocalWorkbench
from dataagent_cli.conversation.port import Conversation, ConversationFacts
from dataagent_cli.conversation.workbench import Workbench
from dataagent_cli.remote.address import RemoteServer
from dataagent_cli.wiring import App


class ConversationTerminal(Terminal, Protocol):
    """The terminal of a conversation in this process or on a server."""

    def set_connected(self, connected: bool) -> None:
        """Note that the server answers again, or no longer."""
        ...


def make_conversation(
    app: App, request: ConversationRequest, terminal: ConversationTerminal, *, pictures: bool = True
) -> tuple[Conversation, Workbench]:
    """Start to open a conversation, with its workbench.

    `pictures` says whether pictures that a server's agent makes are fetched to be shown.
    """
    if request.server is not None:
        return _make_remote(app, request, terminal, request.server, pictures=pictures)
    conversation = LocalConversation(
        open_parts(app, request, terminal),
        first_facts(app, request),
        request.mode,
        person_is_there=request.person_is_there,
    )
    workbench = LocalWorkbench(
        app, conversation, terminal, unsafe_host_shell=request.unsafe_host_shell
    )
    return conversation, workbench


def first_facts(app: App, request: ConversationRequest) -> ConversationFacts:
    """Return the facts that are known before the session is open."""
    return ConversationFacts(
        session_id=request.session_id or "",
        title="",
        model=request.model or app.settings.model or "",
        mode=request.mode or "ask",
        workspace=str(request.workspace),
        sandbox=_sandbox_name(app, request),
    )


def _sandbox_name(app: App, request: ConversationRequest) -> str:
    if request.unsafe_host_shell:
        return "host"
    chosen = request.sandbox_type or app.settings.sandbox_type or "local"
    return "bwrap" if chosen == "local" else "vendor"


def _make_remote(
    app: App,
    request: ConversationRequest,
    terminal: ConversationTerminal,
    server: RemoteServer,
    *,
    pictures: bool,
) -> tuple[Conversation, Workbench]:
    from dataagent_cli.conversation.remote import RemoteConversation, first_remote_facts
    from dataagent_cli.conversation.remote_workbench import RemoteWorkbench
    from dataagent_cli.remote.client import ServerClient
    from dataagent_cli.remote.files import RemoteFiles

    client = ServerClient(server, app.say)
    files = RemoteFiles(client, pictures=pictures)
    facts = first_remote_facts(request, server, app.say)
    conversation = RemoteConversation(client, request, facts, files, say=app.say, terminal=terminal)
    return conversation, RemoteWorkbench(app, client, conversation, files, terminal)
