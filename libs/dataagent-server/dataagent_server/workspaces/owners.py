"""The owner of a tenant's files on the host: one user id per tenant, if the server runs as root.

Its own user id keeps one tenant's processes from counting against another's limits, and separates
tenants should another barrier fail (notes/sandbox.md). It is off unless a range is configured. The
id is assigned once and stored in the tenant's row of `s_workspace_usage`.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.errors import ConfigurationError

# Below are users and services of the host, above are "nobody" and ids reserved by the kernel.
_UID_MIN = 10_000
_UID_MAX = 2**31 - 2


@dataclass(frozen=True, slots=True)
class UidRange:
    """The user ids of tenants, both ends included."""

    first: int
    last: int


def usable_range(first: int | None, count: int) -> UidRange | None:
    """Return the ids to assign; `None` when tenants share the server's own user."""
    if first is None:
        return None
    if os.geteuid() != 0:
        raise ConfigurationError(
            f"workspace_uid_first is {first}, but only root can run tenants as users of their "
            "own. Start the server as root, or leave workspace_uid_first unset."
        )
    last = first + count - 1
    if not _UID_MIN <= first <= last <= _UID_MAX:
        raise ConfigurationError(
            f"workspace_uid_first={first} with {count} numbers reaches {last}; choose a range "
            f"between {_UID_MIN} and {_UID_MAX} that no user of this machine has."
        )
    return UidRange(first, last)


def require_passable(folder: Path) -> None:
    """Refuse a folder whose parents only root may pass: no tenant's command could reach it."""
    for above in folder.parents:
        if above.exists() and not above.stat().st_mode & stat.S_IXOTH:
            raise ConfigurationError(
                f"Tenants have users of their own, who cannot pass {str(above)!r} to reach "
                f"{str(folder)!r}. Allow it with `chmod o+x`, or choose places such as "
                "DATAAGENT_HOME=/var/lib/dataagent and "
                "DATAAGENT_WORKSPACE_BASE_PATH=/var/dataagent/workspaces."
            )
