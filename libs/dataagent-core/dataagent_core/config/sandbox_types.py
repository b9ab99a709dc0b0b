"""The names of the sandboxes: this machine's, or a machine of a vendor (S1)."""

from typing import Final, Literal

SandboxType = Literal["local", "modal", "daytona", "runloop"]
LOCAL: Final = "local"
