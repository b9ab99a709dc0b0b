"""`code_executor`: state that stays, results that say everything, and what is lost and when."""

import asyncio
import re
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from dataagent_core.permissions.denied.denied_files import find_denied
from dataagent_core.permissions.rules import Rule, RuleSet
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.host_guard.host_guard import HostGuard
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.tools.code.code_executor import CodeServices, code_executor
from dataagent_core.tools.code.code_session import CodeSession
from dataagent_core.tools.code.kernel_reply import CodeResult, parse_reply, render_code_result
from dataagent_core.tools.code.python_runtime import find_own_runtime
from dataagent_core.tools.effects import read_effect

RUNTIME = find_own_runtime()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
async def sandbox(workspace: Path, tmp_path: Path) -> AsyncIterator[BwrapSandbox]:
    opened = await BwrapSandbox.open(
        workspace,
        scratch=tmp_path,
        extra_binds=RUNTIME.binds,
        limits=CommandLimits(memory_bytes=600_000_000),
    )
    yield opened
    await opened.aclose()


@pytest.fixture
async def session(sandbox: BwrapSandbox) -> AsyncIterator[CodeSession]:
    made = CodeSession(sandbox)
    yield made
    await made.aclose()


async def run(session: CodeSession, code: str, timeout_s: float = 20.0) -> str:
    return render_code_result(await session.run(code, timeout_s))


@pytest.mark.requirement("F3-5")
async def test_variables_stay_from_call_to_call(session: CodeSession):
    first = await run(session, "x = 20\nx + 1")
    assert first.splitlines()[-1] == "21"
    assert await run(session, "x * 2") == "40"


async def test_the_first_result_says_that_nothing_is_defined_yet(session: CodeSession):
    assert "a new Python: nothing from before is defined" in await run(session, "1")
    assert "new Python" not in await run(session, "1")


async def test_output_of_the_code_and_of_programs_it_starts_is_shown_in_order(
    session: CodeSession,
):
    code = "import os, sys\nprint('a', flush=True)\nos.system('echo b; echo c >&2')\nprint('d')"
    assert (await run(session, code)).splitlines()[-4:] == ["a", "b", "c", "d"]


async def test_an_exception_is_shown_with_the_lines_that_led_to_it(session: CodeSession):
    said = await run(session, "def f():\n    return 1 / 0\n\nf()")
    assert "return 1 / 0" in said
    assert "ZeroDivisionError: division by zero" in said
    assert "kernel" not in said
    assert "SyntaxError" in await run(session, "def")
    assert "SystemExit" in await run(session, "import sys; sys.exit(1)")
    assert await run(session, "2") == "2"


async def test_files_it_made_are_named_and_are_those_of_the_other_tools(
    session: CodeSession, workspace: Path
):
    said = await run(session, "open('/workspace/abs', 'w').write('1')\nopen('rel', 'w').write('2')")
    assert "(files written: /abs, /rel)" in said
    assert (workspace / "abs").read_text() == "1"


async def test_what_git_writes_for_itself_is_not_among_the_files_it_made(session: CodeSession):
    said = await run(session, "import os; os.system('git init -q .'); open('a.txt', 'w').close()")
    assert "(files written: /a.txt)" in said


async def test_a_file_another_tool_makes_or_replaces_is_seen_by_the_living_kernel(
    session: CodeSession, workspace: Path
):
    assert "FileNotFoundError" in await run(session, "open('late.txt').read()")
    (workspace / "late.txt").write_text("one")
    assert await run(session, "open('late.txt').read()") == "'one'"
    (workspace / "new").write_text("two")
    (workspace / "new").rename(workspace / "late.txt")
    assert await run(session, "open('late.txt').read()") == "'two'"


async def test_code_that_takes_too_long_is_interrupted_and_keeps_its_state(session: CodeSession):
    await run(session, "x = 5")
    said = await run(session, "import time\ntime.sleep(60)", timeout_s=0.5)
    assert "interrupted: it took too long" in said
    assert await run(session, "x") == "5"


async def test_code_that_will_not_be_interrupted_is_ended_and_that_is_said(session: CodeSession):
    code = "import signal\nx = 1\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    said = await run(session, code, timeout_s=0.3)
    assert "could not be interrupted" in said
    assert "lost" in said
    again = await run(session, "x")
    assert "a new Python: nothing from before is defined, it was stopped" in again
    assert "NameError" in again


@pytest.mark.requirement("F3-5")
async def test_a_kernel_that_dies_is_announced(session: CodeSession):
    await run(session, "x = 1")
    said = await run(session, "import os; os._exit(3)")
    assert "Python was ended" in said
    assert "nothing from before is defined" in await run(session, "1")


async def test_a_kernel_that_takes_too_much_memory_is_ended_or_refused(session: CodeSession):
    said = await run(session, "x = b'x' * 2_000_000_000")
    assert "MemoryError" in said or "memory" in said


@pytest.mark.requirement("F3-5")
async def test_an_idle_kernel_ends_and_that_is_said(sandbox: BwrapSandbox):
    session = CodeSession(sandbox, idle_s=1.0)
    await run(session, "x = 1")
    assert session.alive
    while session.alive:  # noqa: ASYNC110 - its end is seen from outside only
        await asyncio.sleep(0.01)
    assert "it was not used for 1 s" in await run(session, "1")
    await session.aclose()


async def test_a_kernel_still_ends_when_idle_after_a_call_that_was_cancelled_early(
    sandbox: BwrapSandbox,
):
    session = CodeSession(sandbox, idle_s=1.0)
    await run(session, "x = 1")
    asked, go_on = threading.Event(), threading.Event()

    def find_guard() -> HostGuard:
        asked.set()
        go_on.wait(10)
        raise AssertionError("the call was cancelled before")

    session.find_guard = find_guard
    call = asyncio.create_task(session.run("x", 60))
    await asyncio.to_thread(asked.wait, 10)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    go_on.set()
    while session.alive:  # noqa: ASYNC110 - its end is seen from outside only
        await asyncio.sleep(0.01)
    await session.aclose()


async def test_a_cancelled_call_ends_the_kernel(session: CodeSession, workspace: Path):
    await run(session, "x = 1")
    code = "import time; open('begun', 'w').close(); time.sleep(60)"
    call = asyncio.create_task(session.run(code, 60))
    while not (workspace / "begun").exists():  # noqa: ASYNC110 - made by another process
        await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not session.alive
    assert "the call before was cancelled" in await run(session, "1")


@pytest.mark.requirement("S2-7.1-code_executor")
async def test_the_kernel_sees_no_network_and_no_host(session: CodeSession):
    said = await run(
        session, "import os\nos.path.exists('/root'), os.listdir('/proc/self/ns') != []"
    )
    assert said.splitlines()[-1] == "(False, True)"
    assert "Error" in await run(
        session, "import socket; socket.create_connection(('1.1.1.1', 80), 1)"
    )


async def test_long_output_keeps_both_ends(session: CodeSession):
    said = await run(session, "print('first'); print('x' * 200_000); print('last')")
    assert "first" in said
    assert said.endswith("last")
    assert "bytes left out" in said
    assert len(said) < 60_000


@pytest.mark.requirement("F3-5")
async def test_plots_are_saved_as_pictures(session: CodeSession, workspace: Path):
    pytest.importorskip("matplotlib")
    said = await run(session, "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nNone", 60)
    assert "(plots: /plots/plot-1.png)" in said
    assert (workspace / "plots" / "plot-1.png").read_bytes().startswith(b"\x89PNG")
    again = await run(session, "plt.plot([2, 1])\nNone", 60)
    assert "(plots: /plots/plot-2.png)" in again


@pytest.mark.requirement("F3-5")
async def test_the_named_packages_are_there(session: CodeSession):
    if RUNTIME.missing:
        assert "not installed" in await run(session, "1")
    else:
        code = "import numpy, pandas, duckdb\nint(duckdb.sql('select 42').fetchall()[0][0])"
        assert (await run(session, code, 60)).splitlines()[-1] == "42"


async def test_missing_packages_are_a_note_with_the_command(
    sandbox: BwrapSandbox, monkeypatch: pytest.MonkeyPatch
):
    for name in ("numpy", "matplotlib"):
        monkeypatch.setitem(sys.modules, name, None)
    session = CodeSession(sandbox)
    said = await run(session, "1")
    await session.aclose()
    assert re.search(
        r"not installed: .*numpy.*matplotlib; pip install 'dataagent-core\[code\]'", said
    )


async def test_the_tool_gives_text_and_facts(session: CodeSession, workspace: Path):
    tool: Any = code_executor.bind(CodeServices(session, SafeRoot(workspace, links="beneath")))
    assert read_effect(tool) == "irreversible"
    call = {"type": "tool_call", "name": "code_executor", "id": "1", "args": {"code": "1 / 0"}}
    message = await tool.ainvoke(call)
    assert "ZeroDivisionError" in message.content
    assert message.artifact == {"failed": True, "state_lost": False, "artifacts": []}


async def test_plots_and_files_are_listed_as_artifacts_the_plots_first(
    session: CodeSession, workspace: Path
):
    if "matplotlib" in RUNTIME.missing:
        pytest.skip("without matplotlib there are no plots")
    tool: Any = code_executor.bind(CodeServices(session, SafeRoot(workspace, links="beneath")))
    code = (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\n"
        "open('a.csv', 'w').write('x,y\\n')\n"
        "import os\nos.symlink('/etc/passwd', 'leak')"
    )
    call = {"type": "tool_call", "name": "code_executor", "id": "1", "args": {"code": code}}
    listed = (await tool.ainvoke(call)).artifact["artifacts"]
    assert [(a["path"], a["name"], a["media_type"]) for a in listed] == [
        ("/plots/plot-1.png", "plot-1.png", "image/png"),
        ("/a.csv", "a.csv", "text/csv"),
    ]
    assert [a["bytes"] for a in listed] == [
        (workspace / "plots/plot-1.png").stat().st_size,
        len("x,y\n"),
    ]


async def test_names_and_errors_that_are_no_text_do_not_stop_the_answer(session: CodeSession):
    said = await run(session, "open(b'a\\xff', 'w').close()\nraise ValueError('\\ud800')")
    assert "ValueError" in said
    assert "/a\ufffd" in said


def test_an_answer_that_cannot_be_read_is_none():
    assert parse_reply(b"nonsense\n") is None
    assert parse_reply(b"[1]\n") is None
    assert render_code_result(CodeResult(parse_reply(b'{"id": 1}'))) == "(no output)"


WRITER = """
import threading, subprocess, time
def write():
    while True:
        with open('thread.txt', 'a') as file:
            file.write('x')
        time.sleep(0.002)
threading.Thread(target=write, daemon=True).start()
subprocess.Popen(['sh', '-c', 'while :; do echo x >> child.txt; sleep 0.01; done'])
subprocess.Popen(['setsid', 'sh', '-c', 'while :; do echo x >> orphan.txt; sleep 0.01; done'])
while not all(os.path.exists(name) for name in ('thread.txt', 'child.txt', 'orphan.txt')):
    time.sleep(0.01)
kept = 7
"""


async def test_between_two_calls_nothing_of_it_runs(session: CodeSession, workspace: Path):
    await run(session, "import os\n" + WRITER)
    written = {file.name: file.stat().st_size for file in workspace.glob("*.txt")}
    assert set(written) == {"thread.txt", "child.txt", "orphan.txt"}
    # Long enough for each of them to write many times.
    await asyncio.sleep(0.3)
    assert {file.name: file.stat().st_size for file in workspace.glob("*.txt")} == written
    # With the next piece all of it goes on.
    waiting = "size = os.path.getsize('child.txt')\n"
    waiting += "while os.path.getsize('child.txt') == size: time.sleep(0.01)\nkept"
    assert "7" in (await run(session, waiting)).splitlines()


async def test_a_protected_name_that_code_created_is_renamed_at_the_end_of_its_piece(
    session: CodeSession, workspace: Path
):
    said = await run(session, "import os\nos.mkdir('.dataagent')\nkept = 7")
    assert "'/.dataagent' was created by the command and renamed" in said
    assert not (workspace / ".dataagent").exists()
    assert await run(session, "kept") == "7"


async def test_what_a_person_makes_between_two_pieces_stays_and_cannot_be_written(
    session: CodeSession, workspace: Path
):
    await run(session, "kept = 7")
    (workspace / ".dataagent").mkdir()
    rules = workspace / ".dataagent" / "permissions.toml"
    rules.write_text("of a person")
    said = await run(session, "open('.dataagent/permissions.toml', 'w').write('of the code')")
    assert "Read-only file system" in said
    assert "denied or protected by now" in said
    await session.aclose()
    assert rules.read_text() == "of a person"


async def test_no_signal_can_be_ordered_that_wakes_it(session: CodeSession):
    code = """
import ctypes, errno, fcntl, os, signal
libc = ctypes.CDLL(None, use_errno=True)
event = (ctypes.c_int * 16)(0, 0, signal.SIGCONT, 0)
timer = ctypes.c_void_p()
failed = libc.syscall(222 if os.uname().machine == 'x86_64' else 107, 0, event, ctypes.byref(timer))
print(failed, errno.errorcode[ctypes.get_errno()])
try:
    fcntl.fcntl(0, 10, signal.SIGCONT)
except OSError as error:
    print(errno.errorcode[error.errno])
print(fcntl.fcntl(0, fcntl.F_GETFD))
"""
    assert (await run(session, code)).splitlines()[-3:] == ["-1 ENOSYS", "EPERM", "0"]


async def test_a_python_that_began_before_a_denied_file_was_there_is_not_used_again(
    workspace: Path, tmp_path: Path
):
    secret = workspace / "secret"
    secret.write_text("one")
    sandbox = await BwrapSandbox.open(
        workspace,
        scratch=tmp_path,
        extra_binds=RUNTIME.binds,
        find_masks=find_denied(RuleSet(person=(Rule("read", "/secret*", "deny", "person"),))),
    )
    session = CodeSession(sandbox)
    look = "import os\n[open(n).read() for n in os.listdir('.') if os.access(n, os.R_OK)]"
    try:
        assert (await run(session, look)).endswith("[]")
        assert await run(session, look) == "[]"
        # Another file takes its place, as editors do it: what covered the first one is gone.
        (tmp_path / "new").write_text("two")
        (tmp_path / "new").replace(secret)
        said = await run(session, look)
        assert "it could have opened a file that is denied or protected by now" in said
        assert said.endswith("[]")
        (workspace / "secret2").write_text("three")
        assert (await run(session, look)).endswith("[]")
        assert await run(session, look) == "[]"
    finally:
        await session.aclose()
        await sandbox.aclose()
