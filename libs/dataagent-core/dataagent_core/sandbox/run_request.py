"""Check what a caller asks of a sandbox before anything is started."""

import math
import os
from collections.abc import Mapping

from dataagent_core.config.limits import (
    SANDBOX_COMMAND_BYTES_MAX,
    SANDBOX_STDIN_BYTES_MAX,
    SANDBOX_TIMEOUT_S_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.port import Command, Network

_REACH: dict[Network, int] = {"none": 0, "hosts": 1, "full": 2}


def check_request(
    command: Command, timeout_s: float, env: Mapping[str, str] | None, stdin: bytes
) -> None:
    """Refuse what no sandbox could run, with the reason."""
    words = [command] if isinstance(command, str) else list(command)
    if not words or not words[0].strip():
        raise ValidationError("The command is empty. Give the command to run.")
    texts = [*words, *(f"{name}={value}" for name, value in (env or {}).items())]
    if any("\0" in text for text in texts):
        raise ValidationError("A command cannot hold a NUL character. Write it to a file first.")
    size = max(len(os.fsencode(word)) for word in words)
    if size > SANDBOX_COMMAND_BYTES_MAX:
        raise ValidationError(
            f"The command has {size} bytes, {SANDBOX_COMMAND_BYTES_MAX} are possible. "
            "Write it to a file and run the file."
        )
    if not math.isfinite(timeout_s) or not 0 < timeout_s <= SANDBOX_TIMEOUT_S_MAX:
        raise ValidationError(
            f"timeout_s is {timeout_s}; give seconds above 0 and up to {SANDBOX_TIMEOUT_S_MAX:g}."
        )
    if len(stdin) > SANDBOX_STDIN_BYTES_MAX:
        raise ValidationError(
            f"The input has {len(stdin)} bytes, {SANDBOX_STDIN_BYTES_MAX} are possible. "
            "Put it into a file."
        )


def check_network(asked: Network | None, allowed: Network) -> Network:
    """Give the network of a run; a run may ask for less than its sandbox has, never for more."""
    if asked is None:
        return allowed
    if _REACH[asked] > _REACH[allowed]:
        raise ValidationError(
            f"network={asked!r} is more than this sandbox has ({allowed!r}). "
            "The person who runs DataAgent can allow more in the settings."
        )
    return asked
