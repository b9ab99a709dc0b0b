"""The composition root: the one place where the command line puts core's parts together."""

import getpass
import os
import re
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.messages import Messages
from dataagent_cli.output.log_file import write_log_to
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.streams import Output
from dataagent_core.errors import ConfigurationError
from dataagent_core.language import language_of

if TYPE_CHECKING:
    from dataagent_core.config import Settings
    from dataagent_core.engine import AgentExecutor
    from dataagent_core.engine.delegation.local_background_runs import LocalBackgroundRuns
    from dataagent_core.mcp import MCPConfig
    from dataagent_core.sandbox.port import Sandbox
    from dataagent_core.session import SessionLock
    from dataagent_core.session.stores.bundle import Stores
    from dataagent_core.tools.data.sources.source_store import FileSourceStore

TENANT = "local"
_USER_CHARS_MAX = 64
_SESSION_ID_CHARS = 12


@dataclass(frozen=True, slots=True)
class App:
    """What every command needs: the settings, the words and the streams."""

    settings: "Settings"
    say: Messages
    output: Output


def start() -> App:
    """Read the settings of this process."""
    from dataagent_core.config import Settings

    settings = Settings()
    write_log_to(settings.home)
    say = Messages(language_of(settings.language, os.environ))
    output = Output.of_process()
    withheld = settings.withheld_env
    if withheld is not None:
        output.note(say("env_withheld", shown=one_line(", ".join(withheld.shown()))), fg="yellow")
    return App(settings, say, output)


def open_stores(settings: "Settings") -> "AbstractAsyncContextManager[Stores]":
    """Open the database of the settings."""
    from dataagent_core.session.stores.bundle import open_sqlite

    return open_sqlite(settings.database_path, tenant_id=TENANT)


def session_lock(settings: "Settings", session_id: str) -> "SessionLock":
    """Name the lock that a process holds while it runs or removes a session."""
    from dataagent_core.session import SessionLock

    return SessionLock(settings.home / "locks", session_id)


def local_user() -> str:
    """Name the person at this machine, as an id."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container may run under a user id without a name
        return "local"
    return re.sub(r"[^A-Za-z0-9._-]", "_", name).lstrip("._-")[:_USER_CHARS_MAX] or "local"


def new_session_id() -> str:
    """Make an id that is short enough to type and unlikely to be used twice."""
    from dataagent_core.ids import new_id

    return new_id()[:_SESSION_ID_CHARS]


def open_source_store(settings: "Settings") -> "FileSourceStore":
    """Open the person's list of data sources."""
    from dataagent_core.secrets import Cipher, open_keyring
    from dataagent_core.tools.data.sources.source_store import FileSourceStore

    def cipher() -> Cipher:
        return Cipher(open_keyring(settings.secret_key_path))

    return FileSourceStore(settings.home / "sources.json", cipher, TENANT)


def build_executor(
    app: App,
    stores: "Stores",
    *,
    model: str,
    workspace: Path,
    approve_all: bool,
    timeout_s: float | None,
    servers: "MCPConfig",
    sandbox_type: str | None = None,
    sandbox_id: str | None = None,
    unsafe_host_shell: bool = False,
    background: "LocalBackgroundRuns | None" = None,
) -> "AgentExecutor":
    """Build the agent of the settings for a directory."""
    from dataagent_core.engine import AgentConfig, AgentFactory
    from dataagent_core.tools.data.data_access import DataAccess

    config = AgentConfig(
        assistant_id=app.settings.assistant_id,
        user_id=local_user(),
        tenant_id=TENANT,
        model=model,
        # The agent works on the person's own files, at their real paths.
        home=app.settings.home,
        workspace_path=workspace,
        data=DataAccess(
            sources=open_source_store(app.settings),
            results=app.settings.results / TENANT,
        ),
        mcp_config=servers,
        auto_approve=approve_all,
        sandbox_type=sandbox_type,
        sandbox_id=sandbox_id,
        timeout=timeout_s,
        background_runs=background,
    )
    factory = AgentFactory(app.settings, stores=stores, unsafe_host_shell=unsafe_host_shell)
    return factory.create_executor(config)


def open_shell(app: App, workspace: Path, *, unsafe_host_shell: bool) -> "Sandbox":
    """Make the sandbox for a person's own command lines; nothing is started yet.

    These lines run on this machine and on the person's own files, even if the agent works on a
    vendor's machine.
    """
    from dataagent_core.engine import AgentConfig
    from dataagent_core.engine.assembly.sandboxes import Sandboxes

    config = AgentConfig(assistant_id=app.settings.assistant_id, workspace_path=workspace)
    sandboxes = Sandboxes(app.settings, unsafe_host_shell).make_pair(config, workspace)
    if sandboxes.shell is None:
        raise ConfigurationError("this agent has no shell.")
    return sandboxes.shell
