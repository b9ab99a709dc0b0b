"""Try at start whether the sandbox holds, and refuse to run anything if it does not.

A sandbox that is silently not there is worse than none. Each property is tried for real, in a
throw-away workspace, beside a control on the host that shows that the attempt itself works.
"""

import asyncio
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config.limits import SANDBOX_SELFTEST_S
from dataagent_core.errors import DataAgentError, SandboxUnavailableError
from dataagent_core.sandbox.bwrap import BwrapSandbox
from dataagent_core.sandbox.finishing import to_the_end
from dataagent_core.sandbox.run_limits import RunLimits
from dataagent_core.sandbox.selftest_checks import CHECKS, MEMORY_BYTES, Check

_LIMITS = RunLimits(memory_bytes=MEMORY_BYTES)
_WAY_OUT = (
    "Commands are not run without it. It needs Linux with user namespaces: as root, "
    "`sysctl user.max_user_namespaces=15000`, on Ubuntu also "
    "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`; in Docker "
    "`--security-opt seccomp=unconfined --security-opt systempaths=unconfined`. "
    "See docs/sandbox.md."
)


@dataclass(frozen=True, slots=True)
class SelfTest:
    """What was tried; a failed property has a sentence."""

    passed: tuple[str, ...]
    failed: dict[str, str]
    duration_s: float

    @property
    def ok(self) -> bool:
        """Say whether everything held."""
        return not self.failed

    def require(self) -> None:
        """Raise when the sandbox does not hold, saying what to do."""
        if self.failed:
            what = "; ".join(f"{name}: {why}" for name, why in self.failed.items())
            raise SandboxUnavailableError(f"The sandbox does not work here ({what}). {_WAY_OUT}")


class SandboxHealth:
    """Runs the self-test once and remembers the result."""

    def __init__(self) -> None:
        self._result: asyncio.Task[SelfTest] | None = None

    async def result(self) -> SelfTest:
        """Give the result; the first caller pays for it."""
        if self._result is None:
            self._result = asyncio.ensure_future(self_test())
        return await asyncio.shield(self._result)


async def self_test() -> SelfTest:
    """Try every property."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="dataagent-selftest-") as name:
        try:
            sandbox = await BwrapSandbox.open(Path(name), limits=_LIMITS)
        except (DataAgentError, OSError) as error:
            return SelfTest((), {"start": str(error)}, time.monotonic() - began)
        try:
            outcomes = await asyncio.gather(
                *(_outcome(check, sandbox) for check in CHECKS.values())
            )
        finally:
            await to_the_end(sandbox.aclose())
    failed = {name: why for name, why in zip(CHECKS, outcomes, strict=True) if why}
    passed = tuple(name for name in CHECKS if name not in failed)
    return SelfTest(passed, failed, time.monotonic() - began)


async def _outcome(check: Check, sandbox: BwrapSandbox) -> str | None:
    try:
        async with asyncio.timeout(SANDBOX_SELFTEST_S):
            return await check(sandbox)
    except (DataAgentError, OSError, TimeoutError) as error:
        return str(error) or type(error).__name__
