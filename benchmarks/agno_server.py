"""Agno AgentOS, to measure ours beside: its own SQLite store, one simple tool, no telemetry.

    python agno_server.py FOLDER MODEL_URL [CHECKPOINT]

Without a checkpoint a run is written when it ends, Agno's default; "tool-batch" writes
after each batch of tool calls.
"""
# pyright: reportMissingImports=false
# Agno is in the dependency group `bench`, which only `make bench` installs.

import socket
import sys
from pathlib import Path
from typing import Any


def ls(path: str) -> str:
    """List a folder of the workspace."""
    folder = Path(sys.argv[1]) / "files" / path.lstrip("/")
    return "\n".join(sorted(one.name for one in folder.iterdir()))


def application(folder: Path, model_url: str, checkpoint: Any) -> Any:
    from agno.agent import Agent
    from agno.db.sqlite import SqliteDb
    from agno.models.openai import OpenAIChat
    from agno.os import AgentOS

    (folder / "files").mkdir()
    agent = Agent(
        id="helper",
        model=OpenAIChat(id="load", base_url=model_url, api_key="none"),
        db=SqliteDb(db_file=str(folder / "agno.db")),
        tools=[ls],
        checkpoint=checkpoint,
        telemetry=False,
    )
    return AgentOS(agents=[agent], telemetry=False).get_app()


def main() -> None:
    import uvicorn

    folder, model_url, *checkpoint = sys.argv[1:]
    app = application(Path(folder), model_url, checkpoint[0] if checkpoint else None)
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        print(f"running at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        config = uvicorn.Config(app, loop="uvloop", access_log=False, log_level="warning")
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
