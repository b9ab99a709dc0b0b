"""The names of sandboxes a person can choose: this machine's, or a machine of a vendor (S1)."""

from typing import Final, Literal, get_args

SandboxType = Literal["local", "modal", "daytona", "runloop"]
SANDBOX_TYPES: Final[tuple[SandboxType, ...]] = get_args(SandboxType)
LOCAL: Final = "local"
