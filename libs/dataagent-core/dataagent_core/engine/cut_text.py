"""Voiding what a failed model call had already said (PROTOCOL.md, `resumed`).

Pieces of an answer are in the log before the answer is whole. When its stream breaks and the model
is asked again, readers are told from which number on the pieces are void.
"""

import asyncio
from dataclasses import dataclass

from dataagent_core.config.limits import STREAM_SETTLE_S
from dataagent_core.events import RunResumedEvent
from dataagent_core.runs import RunContext


@dataclass(frozen=True, slots=True)
class CutText:
    """Where the log stood when a call began."""

    context: RunContext
    since_seq: int

    @classmethod
    async def watch(cls, context: RunContext) -> "CutText":
        """Note where the log stands."""
        await context.recorder.commit()
        return cls(context, context.recorder.last_seq)

    async def void(self) -> None:
        """Say what is void, if the call had said anything."""
        # What the stream still holds gets its turn: a piece that came later would count.
        await asyncio.sleep(STREAM_SETTLE_S)
        recorder = self.context.recorder
        await recorder.commit()
        if recorder.last_piece_seq > self.since_seq:
            self.context.progress.restarts += 1
            attempt = self.context.run.attempt + self.context.progress.restarts
            resumed = RunResumedEvent(attempt=attempt, discard_after=self.since_seq)
            await recorder.commit(resumed)
