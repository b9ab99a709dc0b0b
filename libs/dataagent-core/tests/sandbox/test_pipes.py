"""Pipes to a child under either event loop: read to the end, and closed exactly once."""

import asyncio
import io
import os
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import uvloop

from dataagent_core.sandbox.processes.process_pipes import IncomingPipe

Run = Callable[[Coroutine[Any, Any, None]], None]


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_a_pipe_is_closed_once_and_never_somebody_elses_file(
    run: Run, monkeypatch: pytest.MonkeyPatch
):
    """uvloop closes a descriptor and then its file: the number may be somebody else's by then."""
    opened: list[int] = []
    closed = asyncio.Event()

    class Contested(io.FileIO):
        """A file beside which somebody opens another at the very moment it is closed."""

        def close(self) -> None:
            if not self.closed:
                opened.append(os.open(os.devnull, os.O_RDONLY))
                closed.set()
            super().close()

    def contested(descriptor: int, mode: str, *, buffering: int, closefd: bool = True) -> io.FileIO:
        assert buffering == 0
        return Contested(descriptor, mode, closefd=closefd)

    async def read() -> None:
        taken: list[bytes] = []
        pipe = IncomingPipe(taken.append)
        ours = os.fstat(pipe._ours)  # pyright: ignore[reportPrivateUsage] (nobody else knows it)
        number = pipe._ours  # pyright: ignore[reportPrivateUsage] (as above)
        await pipe.open()
        os.write(pipe.child_end, b"all of it")
        pipe.close_child_end()
        await pipe.wait_for_end()
        assert b"".join(taken) == b"all of it"
        pipe.close()
        async with asyncio.timeout(60):
            await closed.wait()
        assert not _is_still(number, ours)

    monkeypatch.setattr(os, "fdopen", contested)
    run(read())
    (other,) = opened
    os.close(other)  # fails if the pipe's end took it along


def _is_still(descriptor: int, before: os.stat_result) -> bool:
    # The number may be another file's by now, this test's or another thread's.
    try:
        return os.path.samestat(os.fstat(descriptor), before)
    except OSError:
        return False
