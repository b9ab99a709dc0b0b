"""Passwords: argon2id, off the event loop, a few at a time.

Checking the password of an unknown user costs as much as checking a real one, so the time does not
reveal who has an account.
"""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from dataagent_core.errors import ValidationError
from dataagent_server.common.errors import OverloadedError
from dataagent_server.identity.auth.limits import (
    PASSWORD_CHARS_MAX,
    PASSWORD_CHARS_MIN,
    PASSWORD_HASHES_AT_ONCE_MAX,
    PASSWORD_HASHES_WAITING_MAX,
)

T = TypeVar("T")


def validate_password(password: str) -> str:
    """Return a new password, or raise with the reason why it is not valid."""
    if not PASSWORD_CHARS_MIN <= len(password) <= PASSWORD_CHARS_MAX:
        raise ValidationError(
            f"A password has {PASSWORD_CHARS_MIN} to {PASSWORD_CHARS_MAX:,} characters; this one "
            f"has {len(password):,}."
        )
    if len(set(password)) == 1 or any(unicodedata.category(c) == "Cs" for c in password):
        raise ValidationError(
            "This password is one character repeated, or holds what is no character."
        )
    return password


class Passwords:
    """Hashes and checks; use `aclose` when the server stops."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._threads = ThreadPoolExecutor(PASSWORD_HASHES_AT_ONCE_MAX, "argon2")
        self._waiting = 0
        self._nobody: str | None = None

    async def hash(self, password: str) -> str:
        """Hash a new password for storage."""
        return await self._run(self._hasher.hash, _normalize(validate_password(password)))

    async def verify(self, stored: str | None, password: str) -> bool:
        """Check a password; without a stored hash the result is False, after the same work."""
        if len(password) > PASSWORD_CHARS_MAX:
            return False
        return await self._run(self._verify, stored, _normalize(password))

    async def aclose(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)

    def _verify(self, stored: str | None, password: str) -> bool:
        if self._nobody is None:
            self._nobody = self._hasher.hash("nobody's password")
        try:
            matches = self._hasher.verify(stored or self._nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return matches and stored is not None

    async def _run(self, work: Callable[..., T], *args: object) -> T:
        # Each hash takes 64 MiB and much of a second: a flood of log-ins is refused before it
        # delays the others.
        if self._waiting >= PASSWORD_HASHES_WAITING_MAX:
            raise OverloadedError("Too many people are signing in just now. Try again.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)
        finally:
            self._waiting -= 1


def _normalize(password: str) -> bytes:
    # The same letters may be composed or not, depending on the keyboard.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
