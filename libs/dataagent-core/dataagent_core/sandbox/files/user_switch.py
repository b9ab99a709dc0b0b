"""Makes files as another user, in the thread that asks and nowhere else.

The kernel keeps, for each thread, the user whose rights and name count for files. A server that
runs as root uses it to make a tenant's files the tenant's own. Start no thread meanwhile: it would
begin, and stay, as that user.
"""

import ctypes
import os
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import Any


@cache
def _load_libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


@contextmanager
def act_as(user: int | None) -> Generator[None]:
    """Touch files as `user`, and as their group; `None` changes nothing. Only root can."""
    if user is None:
        yield
        return
    libc = _load_libc()
    # The group first: once the user is another, the right to change it is gone.
    libc.setfsgid(user)
    libc.setfsuid(user)
    try:
        # -1 changes nothing and tells who it is now; the calls themselves never report failure.
        if libc.setfsuid(-1) != user:
            raise PermissionError(f"files cannot be made as user {user}: the server is not root")
        yield
    finally:
        libc.setfsuid(os.geteuid())
        libc.setfsgid(os.getegid())
