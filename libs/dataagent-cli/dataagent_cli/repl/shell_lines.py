"""`!`: runs a command line of the person in the sandbox and prints its output.

The model gets the output with the next message; the output of a line with `!!` it does not get.
"""

import asyncio

from dataagent_cli.conversation.shell_output import ShellOutput, ShellOutputs
from dataagent_cli.conversation.workbench import Workbench
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.output.streams import Output
from dataagent_cli.repl.limits import LINE_OUTPUT_LINES_MAX
from dataagent_core.errors import ValidationError


class LineRunner:
    """Runs one line at a time."""

    def __init__(self, workbench: Workbench, output: Output, say: Messages) -> None:
        self._workbench = workbench
        self._output = output
        self._say = say
        self._task: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        # Counts stops: lines that waited before a stop are not started.
        self._stops = 0
        # The outputs for the next message.
        self.outputs = ShellOutputs()
        self._is_explained = False

    @property
    def running(self) -> bool:
        return self._task is not None and not self._task.done()

    async def run(self, command: str) -> None:
        """Run a line until it ends or is stopped; `!!` keeps its output from the model."""
        private = command.startswith("!")
        command = command.removeprefix("!")
        if not command.strip():
            raise ValidationError(self._say("repl_line_empty"))
        stops = self._stops
        if self._turn.locked():
            self._output.note(self._say("repl_line_waits", command=one_line(command)), dim=True)
        async with self._turn:
            if stops == self._stops:
                await self._begin(command, private=private)

    async def _begin(self, command: str, *, private: bool) -> None:
        self._output.note(f"$ {one_line(command)}", bold=True)
        self._task = asyncio.create_task(self._run(command, private=private))
        await asyncio.wait({self._task})
        if self._task.cancelled():
            self._output.note(self._say("cancelled"), fg="yellow")
        else:
            self._task.result()

    def stop(self) -> None:
        self._stops += 1
        if self._task is not None:
            self._task.cancel()

    async def _run(self, command: str, *, private: bool) -> None:
        done = await self._workbench.run_line(command)
        lines = sanitize_text(done.text).rstrip("\n").split("\n") if done.text.strip() else []
        for line in lines[:LINE_OUTPUT_LINES_MAX]:
            self._output.verbatim(line.expandtabs(8))
        if len(lines) > LINE_OUTPUT_LINES_MAX:
            more = len(lines) - LINE_OUTPUT_LINES_MAX
            self._output.note(self._say("more_lines", count=more), dim=True)
        for note in done.notes:
            self._output.note(self._say.translate(one_line(note)), fg="yellow")
        if done.exit_code:
            self._output.note(self._say("repl_line_exit", code=done.exit_code), fg="red")
        if not private:
            self._keep(ShellOutput(command, sanitize_text(done.text), done.exit_code))

    def _keep(self, output: ShellOutput) -> None:
        self.outputs.add(output)
        if not self._is_explained:
            self._is_explained = True
            self._output.note(self._say("repl_line_goes_along"), dim=True)
