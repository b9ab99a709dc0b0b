"""A script behind a real HTTP endpoint that speaks OpenAI's chat completions and Anthropic's API.

In a test: `with ScriptedEndpoint(script) as endpoint: ... endpoint.base_url ...`. On its own:
`python -m dataagent_core.testing.endpoint --port 8099 --script steps.json`. The script's JSON is
described in docs/testing-kit.md. It listens on 127.0.0.1 only and checks no key.
"""

import argparse
import signal
import sys
import threading
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from dataagent_core.config.limits import ENDPOINT_STOP_S
from dataagent_core.errors import DataAgentError
from dataagent_core.models.scripted.script import Script, Step
from dataagent_core.testing.endpoint_handler import ReceivedRequest
from dataagent_core.testing.endpoint_server import EndpointServer

_WITHOUT_SCRIPT = Script.of(
    Step(text="This is the scripted endpoint; give it steps with --script FILE.")
)


class ScriptedEndpoint:
    """Serves a script while it is entered; a port of 0 takes any that is free."""

    def __init__(self, script: Script, port: int = 0) -> None:
        self._server = EndpointServer(script, port)
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.02},
            name="scripted-endpoint",
        )

    @property
    def base_url(self) -> str:
        """What goes into OPENAI_BASE_URL."""
        return f"{self.root_url}/v1"

    @property
    def root_url(self) -> str:
        """What goes into ANTHROPIC_BASE_URL."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def requests(self) -> tuple[ReceivedRequest, ...]:
        """The latest requests, oldest first."""
        return tuple(self._server.received)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.stop()
        self._thread.join(ENDPOINT_STOP_S)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def main(arguments: list[str] | None = None) -> int:
    """Serve until SIGTERM or SIGINT; the base URL is the one line of output."""
    parser = argparse.ArgumentParser(
        prog="python -m dataagent_core.testing.endpoint",
        description="Play a script behind OpenAI's chat-completions wire on 127.0.0.1.",
    )
    parser.add_argument("--port", type=int, default=0, help="port; 0 takes any that is free")
    parser.add_argument("--script", type=Path, help="JSON file, see docs/testing-kit.md")
    chosen = parser.parse_args(arguments)
    try:
        script = Script.read(chosen.script) if chosen.script else _WITHOUT_SCRIPT
        endpoint = ScriptedEndpoint(script, chosen.port)
    except (DataAgentError, OSError, OverflowError) as error:
        parser.error(str(error))
    stopped = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        stopped.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    with endpoint:
        sys.stdout.write(endpoint.base_url + "\n")
        sys.stdout.flush()
        stopped.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
