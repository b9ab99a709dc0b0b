"""This server process among others: it writes heartbeats, and detects dead processes.

Processes of one machine also hold a file lock each, which the kernel releases with the process. So
a restarted server knows at once that its predecessor is dead; one on another machine, or a frozen
one, is considered dead when its lease ends without a heartbeat.
"""

import fcntl
import os
import socket
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection, delete, select, update

from dataagent_core.ids import new_id
from dataagent_server.db.database_clock import database_now
from dataagent_server.db.tables.runs import server_instances as instances


class Instance:
    """One process: its id, and its lock."""

    def __init__(self, directory: Path) -> None:
        self.instance_id = new_id()
        self._directory = directory
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path = directory / f"{self.instance_id}.lock"
        # Named only once it is locked: before that, others would consider it dead.
        unnamed = self._path.with_suffix(".new")
        self._fd = os.open(unnamed, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        unnamed.rename(self._path)

    def close(self) -> None:
        """Release the lock."""
        self._path.unlink(missing_ok=True)
        os.close(self._fd)

    def known_dead(self) -> list[str]:
        """List the processes of this machine whose lock is free, and remove their files."""
        dead: list[str] = []
        for path in self._directory.glob("*.lock"):
            if path != self._path and _is_unlocked(path):
                dead.append(path.stem)
                path.unlink(missing_ok=True)
        return dead


def write_heartbeat(connection: Connection, instance_id: str) -> None:
    """Write a heartbeat of this process."""
    now = database_now(connection)
    changed = connection.execute(
        update(instances).where(instances.c.instance_id == instance_id).values(heartbeat_at=now)
    )
    if not changed.rowcount:
        connection.execute(
            instances.insert(),
            {
                "instance_id": instance_id,
                "host": socket.gethostname(),
                "process_id": os.getpid(),
                "started_at": now,
                "heartbeat_at": now,
            },
        )


def remove_dead(connection: Connection, dead: list[str], lease_s: float) -> list[str]:
    """Remove dead processes and those without heartbeats; return the others.

    A heartbeat from the future was written before the clock was set back, and would never expire. A
    living process writes another.
    """
    now, lease = database_now(connection), timedelta(seconds=lease_s)
    connection.execute(
        delete(instances).where(
            instances.c.instance_id.in_(dead)
            | (instances.c.heartbeat_at < now - lease)
            | (instances.c.heartbeat_at > now + lease)
        )
    )
    return list(connection.execute(select(instances.c.instance_id)).scalars())


def _is_unlocked(path: Path) -> bool:
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    return True
