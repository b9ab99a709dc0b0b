"""Whether the server can do its work: each part it depends on is asked, briefly, side by side."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Literal

from dataagent_server.errors import OverloadedError
from dataagent_server.limits import READY_CHECK_S

logger = logging.getLogger(__name__)

Check = Callable[[], Awaitable[None]]


async def require_ready(checks: Mapping[str, Check], *, stopping: bool) -> dict[str, Literal["ok"]]:
    """Return what was asked, or raise with what failed; the reasons are logged, not told."""
    if stopping:
        raise OverloadedError("The server is stopping.", {"checks": {"server": "stopping"}})
    failed = await failed_checks(checks)
    if failed:
        told = {name: "failed" if name in failed else "ok" for name in checks}
        raise OverloadedError(
            f"The server is not ready: {', '.join(sorted(failed))} failed.", {"checks": told}
        )
    return dict.fromkeys(checks, "ok")


async def failed_checks(checks: Mapping[str, Check]) -> set[str]:
    """Ask every part at once, each for a bounded time."""
    outcomes = await asyncio.gather(*(_passes(name, check) for name, check in checks.items()))
    return {name for name, passed in zip(checks, outcomes, strict=True) if not passed}


async def _passes(name: str, check: Check) -> bool:
    try:
        async with asyncio.timeout(READY_CHECK_S):
            await check()
    except Exception as error:  # noqa: BLE001 (whatever it is, the part does not work)
        logger.warning("not ready: %s: %s", name, error or type(error).__name__)
        return False
    return True
