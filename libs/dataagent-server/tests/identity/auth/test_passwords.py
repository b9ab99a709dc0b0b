"""Passwords are hashed slowly, elsewhere, and the same for nobody."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from argon2 import PasswordHasher
from installation import QUICK_HASHER

from dataagent_core.errors import ValidationError
from dataagent_server.common.errors import OverloadedError
from dataagent_server.identity.auth import passwords as module
from dataagent_server.identity.auth.passwords import Passwords, validate_password


class Counting(PasswordHasher):
    checks = 0

    def verify(self, hash: str | bytes, password: str | bytes):  # noqa: A002
        self.checks += 1
        return super().verify(hash, password)


@pytest.fixture
async def quick() -> AsyncGenerator[Passwords]:
    passwords = Passwords(QUICK_HASHER)
    yield passwords
    await passwords.aclose()


async def test_a_password_is_checked_by_argon2id_at_its_default_strength():
    passwords = Passwords()
    stored = await passwords.hash("correct horse battery")
    assert stored.startswith("$argon2id$")
    assert await passwords.verify(stored, "correct horse battery")
    assert not await passwords.verify(stored, "correct horse batterz")
    await passwords.aclose()


async def test_the_same_letters_from_another_keyboard_are_the_same(quick: Passwords):
    stored = await quick.hash("Pa\u00dfwo\u0308rter!")
    assert await quick.verify(stored, "Pa\u00dfw\u00f6rter!")


async def test_nobody_is_checked_with_the_same_work_as_somebody():
    counting = Counting(time_cost=1, memory_cost=8, parallelism=1)
    passwords = Passwords(counting)
    assert not await passwords.verify(None, "nobody's password")
    assert not await passwords.verify("not a hash", "x")
    assert counting.checks == 2
    await passwords.aclose()


async def test_a_flood_is_turned_away_before_it_queues(
    quick: Passwords, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "PASSWORD_HASHES_WAITING_MAX", 3)
    tries = await asyncio.gather(
        *(quick.verify(None, "x") for _ in range(10)), return_exceptions=True
    )
    assert sum(isinstance(one, OverloadedError) for one in tries) == 7


@pytest.mark.parametrize(
    "password", ["", "short", "a" * 50, "x" * 999 + "yz", "\ud800" + "abcdefghijk"]
)
def test_a_weak_or_impossible_password_is_refused(password: str):
    with pytest.raises(ValidationError):
        validate_password(password)


async def test_a_huge_password_costs_no_work(quick: Passwords):
    assert not await quick.verify(None, "x" * 10_000_000)
