"""The inline prompt's terminal, for parts that use it for a moment."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.repl.screen.application import PromptApplication
from dataagent_cli.repl.trust_question import has_decided_about, may_work_in
from dataagent_cli.wiring import App
from dataagent_core.errors import NoOneToAskError


class InlineTerminal:
    """Lends the terminal, and prints lines above the prompt."""

    def __init__(self, app: App, application: PromptApplication) -> None:
        self._app = app
        self._application = application

    def borrow(self) -> AbstractAsyncContextManager[None]:
        return self._application.screen.borrow()

    def note(self, text: str) -> None:
        # The prompt prints what waits before its next drawing, and there is none after the last.
        output = self._app.output if self._application.is_over else self._application.output
        output.note(sanitize_text(text), fg="yellow")

    def set_connected(self, connected: bool) -> None:
        del connected  # the status line shows it
        self._application.screen.draw()

    async def may_work_in(self, workspace: Path) -> None:
        if has_decided_about(self._app, workspace):
            return
        async with self.borrow():
            if not await may_work_in(self._app, workspace):
                raise NoOneToAskError(self._app.say("repl_not_trusted", path=str(workspace)))

    def workspace_is_gone(self, workspace: Path, here: Path) -> None:
        self.note(self._app.say("repl_place_gone", path=str(workspace), here=str(here)))
