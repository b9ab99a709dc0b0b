"""A real terminal for tests: tmux, with keys sent to it and its screen read.

Each terminal has a server of its own (`tmux -L`), so that nothing outside a test is touched, and is
killed with everything in it when the test is over.
"""

import os
import re
import shlex
import shutil
import subprocess
import time
import uuid
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psutil
import pytest

WAIT_S_MAX: Final = 120.0
# The delays between two reads, each of which starts a process.
_PAUSE_S_MIN: Final = 0.03
_PAUSE_S_MAX: Final = 0.2
_PAUSE_GROWTH: Final = 1.2
_SCROLLBACK_LINES: Final = 20_000
_TMUX_S_MAX: Final = 20


class NeverShownError(AssertionError):
    """The expected text did not appear on the screen."""


def _looks(seconds: float) -> Generator[None]:
    """Yield repeatedly for a time, and once more at its end."""
    deadline = time.monotonic() + seconds
    pause_s = _PAUSE_S_MIN
    while time.monotonic() <= deadline:
        yield
        time.sleep(pause_s)
        pause_s = min(_PAUSE_S_MAX, pause_s * _PAUSE_GROWTH)
    yield


def _unbroken(text: str) -> str:
    return re.sub(r"(?<=\S) *\n(?=\S)", " ", text)


def _leads(process: psutil.Process, device: int) -> bool:
    """Say whether a terminal is this process's own.

    Not asked of psutil: it lists the terminals once, and knows none that was opened later.
    """
    try:
        stat = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return False
    _state, _parent, _group, session, terminal = stat.rpartition(")")[2].split()[:5]
    return int(terminal) == device and int(session) == process.pid


class Terminal:
    """One pane, with a program in it."""

    def __init__(self, socket: str, environment: Mapping[str, str]) -> None:
        self._socket = socket
        self._environment = dict(environment)

    def keys(self, *names: str) -> None:
        """Press keys by tmux's names: `Enter`, `C-c`, `Escape`, `BTab`, `M-Enter`, `Up`."""
        self._tmux("send-keys", "-t", "0", *names)

    def type(self, text: str) -> None:
        """Type letters literally."""
        self._tmux("send-keys", "-t", "0", "-l", "--", text)

    def enter(self, text: str) -> None:
        """Type a line and send it."""
        self.type(text)
        self.keys("Enter")

    def paste(self, text: str) -> None:
        """Paste as a terminal does, in brackets if the program asked for that."""
        self._tmux("load-buffer", "-", stdin=text)
        self._tmux("paste-buffer", "-p", "-d", "-t", "0")

    def resize(self, columns: int, rows: int) -> None:
        self._tmux("resize-window", "-t", "0", "-x", str(columns), "-y", str(rows))

    def screen(self, *, colours: bool = False) -> str:
        """Read the screen."""
        return self._captured("-e" if colours else "-J")

    def everything(self, *, colours: bool = False) -> str:
        """Read the screen and the scroll-back; wrapped lines are joined."""
        return self._captured("-J", "-S", "-", *(["-e"] if colours else []))

    def until(self, pattern: str, *, seconds: float = WAIT_S_MAX, everywhere: bool = False) -> str:
        """Wait until the screen (or also the scroll-back) matches, and return it.

        A sentence is also found if it was wrapped between two words.
        """
        for _ in _looks(seconds):
            text = self.everything() if everywhere else self.screen()
            if any(re.search(pattern, one, re.MULTILINE) for one in (text, _unbroken(text))):
                return text
        raise NeverShownError(f"{pattern!r} never showed in:\n{self.everything()}")

    def until_gone(self, pattern: str, *, seconds: float = WAIT_S_MAX) -> str:
        """Wait until nothing on the screen matches."""
        for _ in _looks(seconds):
            if not re.search(pattern, text := self.screen(), re.MULTILINE):
                return text
        raise NeverShownError(f"{pattern!r} never went away:\n{self.everything()}")

    def cursor(self) -> tuple[int, int]:
        """Return the column and row of the cursor, from 0."""
        column, row = self._tmux(
            "display-message", "-p", "-t", "0", "#{cursor_x} #{cursor_y}"
        ).split()
        return int(column), int(row)

    def modes(self) -> dict[str, str]:
        """Return the terminal's modes: cursor shown, plain keys, and so on."""
        names = ("cursor_flag", "keypad_cursor_flag", "keypad_flag", "alternate_on", "insert_flag")
        shown = " ".join(f"#{{{name}}}" for name in names)
        values = self._tmux("display-message", "-p", "-t", "0", shown).split()
        return dict(zip(names, values, strict=True))

    def pid(self) -> int:
        """Return the process of the pane: the program itself, or its shell."""
        return int(self._tmux("display-message", "-p", "-t", "0", "#{pane_pid}"))

    def kill(self) -> None:
        """Kill the program as `kill -9` does.

        Not the pane's process: where that is a launcher (`tests/warm`), its death hangs the terminal
        up, and on a busy machine the program stops in good order before it is killed too.
        """
        name = self._tmux("display-message", "-p", "-t", "0", "#{pane_tty}")
        device = Path(name).stat().st_rdev  # as the kernel numbers it
        (leader,) = (process for process in psutil.process_iter() if _leads(process, device))
        leader.kill()

    def is_over(self) -> bool:
        """Say whether the program has ended."""
        return self._tmux("display-message", "-p", "-t", "0", "#{pane_dead}") == "1"

    def exit_code(self, *, seconds: float = WAIT_S_MAX) -> int:
        """Wait for the end of the program, and return its exit code."""
        for _ in _looks(seconds):
            if ended := self._ended():
                return int(ended)
        raise NeverShownError(f"the program goes on:\n{self.everything()}")

    def _ended(self) -> str:
        """Return the exit code, or minus the signal; None while it runs."""
        shown = "#{?pane_dead_signal,-#{pane_dead_signal},#{pane_dead_status}}"
        return self._tmux("display-message", "-p", "-t", "0", shown) or self._left_unburied()

    def _left_unburied(self) -> str:
        # tmux sometimes misses that its program has ended; the kernel knows its status.
        try:
            fields = Path(f"/proc/{self.pid()}/stat").read_text(encoding="utf-8").rpartition(")")[2]
        except OSError:
            return ""
        state, status = fields.split()[0], int(fields.split()[-1])
        return str(os.waitstatus_to_exitcode(status)) if state == "Z" else ""

    def end(self) -> None:
        """Kill this terminal's server, with everything in it."""
        self._tmux("kill-server", check=False)

    def _captured(self, *options: str) -> str:
        return self._tmux("capture-pane", "-p", "-t", "0", *options)

    def _tmux(self, *arguments: str, stdin: str | None = None, check: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            env=self._environment,
            timeout=_TMUX_S_MAX,
        )
        if check and done.returncode:
            raise AssertionError(f"tmux {arguments[0]}: {done.stderr.strip()}")
        return done.stdout.rstrip("\n")


@contextmanager
def tmux_terminal(
    command: Sequence[str | Path],
    *,
    environment: Mapping[str, str],
    cwd: Path,
    columns: int = 80,
    rows: int = 24,
) -> Generator[Terminal]:
    """Start a program in a terminal of a size; it stays readable after its end."""
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not on this machine: install it to walk through the terminal")
    socket = f"dataagent-test-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    # tmux's own variables would make a program inside believe it runs in another tmux.
    plain = {k: v for k, v in environment.items() if k not in {"TMUX", "TMUX_PANE"}}
    terminal = Terminal(socket, plain)
    settings = (
        "set -g remain-on-exit on ; set -g status off ; set -g escape-time 0 ; "
        f"set -g history-limit {_SCROLLBACK_LINES} ; set -g default-terminal tmux-256color"
    )
    words = [str(part) for part in command]
    # A test may choose TERM.
    if chosen := plain.get("TEST_TERM"):
        words = ["env", f"TERM={chosen}", *words]
    subprocess.run(
        [
            "tmux", "-L", socket, "-f", "/dev/null",
            *shlex.split(settings), ";",
            "new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(cwd),
            shlex.join(words),
        ],
        check=True,
        env=plain,
        timeout=_TMUX_S_MAX,
    )  # fmt: skip
    try:
        yield terminal
    finally:
        terminal.end()
