"""Tests at start whether the sandbox isolates; otherwise no command runs.

Each property is attempted in a temporary workspace, next to a control on the host that shows that
the attempt itself works. A failed attempt is reported in one sentence.
"""

import asyncio
import secrets
import socket
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from dataagent_core.config.limits import SANDBOX_SELFTEST_S
from dataagent_core.errors import DataAgentError, SandboxUnavailableError
from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.limits.command_limits import CommandLimits
from dataagent_core.sandbox.processes.completion import run_to_completion

MEMORY_BYTES = 48 * 1024 * 1024
Check = Callable[[BwrapSandbox], Awaitable[str | None]]


async def _run_command(sandbox: BwrapSandbox, command: str, timeout_s: float = 5.0) -> str:
    done = await sandbox.run(command, timeout_s=timeout_s)
    return (done.stdout.data + done.stderr.data).decode(errors="replace").strip()


async def _check_workspace(sandbox: BwrapSandbox) -> str | None:
    word = secrets.token_hex(8)
    output = await _run_command(sandbox, f"echo {word} > made && cat made")
    return None if output == word else f"a file could not be written and read: {output}"


async def _check_host_files(sandbox: BwrapSandbox) -> str | None:
    with tempfile.NamedTemporaryFile(prefix="dataagent-probe-", dir=tempfile.gettempdir()) as probe:
        output = await _run_command(
            sandbox, f"test -e {probe.name} && echo seen; ls -d /root /home /var"
        )
    return "files of the host can be seen" if "seen" in output or "\n/" in f"\n{output}" else None


async def _check_network(sandbox: BwrapSandbox) -> str | None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            pass
        output = await _run_command(
            sandbox, f"(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>&1 && echo reached"
        )
    inside = await _run_command(sandbox, "readlink /proc/self/ns/net")
    reached = "reached" in output or inside == _read_own_network()
    return "the host's network can be reached" if reached or not inside else None


def _read_own_network() -> str:
    return str(Path("/proc/self/ns/net").readlink())


async def _check_descriptors(sandbox: BwrapSandbox) -> str | None:
    output = await _run_command(sandbox, "exec ls /proc/self/fd")
    # 3 is the listing itself.
    return None if output.split() == ["0", "1", "2", "3"] else f"open descriptors: {output}"


async def _check_privileges(sandbox: BwrapSandbox) -> str | None:
    output = await _run_command(
        sandbox, "grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status"
    )
    words = output.split()
    wanted = ["CapEff:", "0000000000000000", "NoNewPrivs:", "1", "Seccomp:", "2"]
    nested = await _run_command(sandbox, "unshare --user true 2>/dev/null && echo made")
    return None if words == wanted and not nested else f"privileges are left: {output} {nested}"


async def _check_kernel_settings(sandbox: BwrapSandbox) -> str | None:
    output = await _run_command(sandbox, "find /proc/sys -writable -print -quit")
    return f"settings of the kernel can be written: {output}" if output else None


async def _check_memory(sandbox: BwrapSandbox) -> str | None:
    # `tail` keeps a line without an end in memory.
    size = 4 * MEMORY_BYTES
    output = await _run_command(sandbox, f"head -c {size} /dev/zero | tail -n 1 | wc -c")
    return "the memory limit does not hold" if str(size) in output else None


async def _check_kill(sandbox: BwrapSandbox) -> str | None:
    mark = f"{secrets.randbelow(10**6) + 10**6}"
    done = await sandbox.run(f"setsid sleep {mark} & sleep {mark}", timeout_s=0.1)
    left = await asyncio.to_thread(_count_processes, mark)
    return None if done.timed_out and not left else f"{left} processes outlived a time-out"


def _count_processes(mark: str) -> int:
    wanted = f"\0{mark}\0".encode()
    return sum(_read_command_line(entry).endswith(wanted) for entry in Path("/proc").glob("[0-9]*"))


def _read_command_line(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


CHECKS: dict[str, Check] = {
    "workspace": _check_workspace,
    "host files": _check_host_files,
    "network": _check_network,
    "descriptors": _check_descriptors,
    "privileges": _check_privileges,
    "kernel settings": _check_kernel_settings,
    "memory": _check_memory,
    "kill": _check_kill,
}
_LIMITS = CommandLimits(memory_bytes=MEMORY_BYTES)
_HINT = (
    "Commands are not run without it. It needs Linux with user namespaces: as root, "
    "`sysctl user.max_user_namespaces=15000`, on Ubuntu also "
    "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`; in Docker "
    "`--security-opt seccomp=unconfined --security-opt systempaths=unconfined`. "
    "See docs/sandbox.md."
)


@dataclass(frozen=True, slots=True)
class SelfTestResult:
    """The checks that passed, and a sentence for each that failed."""

    passed: tuple[str, ...]
    failed: dict[str, str]
    duration_s: float

    @property
    def ok(self) -> bool:
        """Say whether every check passed."""
        return not self.failed

    def require(self) -> None:
        """Raise if a check failed, with what to do about it."""
        if self.failed:
            what = "; ".join(f"{name}: {why}" for name, why in self.failed.items())
            raise SandboxUnavailableError(f"The sandbox does not work here ({what}). {_HINT}")


@dataclass(slots=True, eq=False)
class SandboxHealth:
    """Runs the self-test once and remembers the result."""

    _result: asyncio.Task[SelfTestResult] | None = field(default=None, init=False)

    async def result(self) -> SelfTestResult:
        """Give the result; the first call runs the test."""
        if self._result is None:
            self._result = asyncio.ensure_future(run_self_test())
        return await asyncio.shield(self._result)


async def run_self_test() -> SelfTestResult:
    """Run every check."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="dataagent-selftest-") as name:
        try:
            sandbox = await BwrapSandbox.open(Path(name), limits=_LIMITS)
        except (DataAgentError, OSError) as error:
            return SelfTestResult((), {"start": str(error)}, time.monotonic() - began)
        try:
            outcomes = await asyncio.gather(
                *(_run_check(check, sandbox) for check in CHECKS.values())
            )
        finally:
            await run_to_completion(sandbox.aclose())
    failed = {name: why for name, why in zip(CHECKS, outcomes, strict=True) if why}
    passed = tuple(name for name in CHECKS if name not in failed)
    return SelfTestResult(passed, failed, time.monotonic() - began)


async def _run_check(check: Check, sandbox: BwrapSandbox) -> str | None:
    try:
        async with asyncio.timeout(SANDBOX_SELFTEST_S):
            return await check(sandbox)
    except (DataAgentError, OSError, TimeoutError) as error:
        return str(error) or type(error).__name__
