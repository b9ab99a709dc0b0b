"""Signing in by password and by URL; on every database."""

import asyncio

import pytest
from installation import Installation

from dataagent_core.errors import DeniedError, ValidationError
from dataagent_server.common.errors import RateLimitedError, UnauthenticatedError
from dataagent_server.common.ids import DEFAULT_ADMIN, DEFAULT_TENANT
from dataagent_server.identity.auth.limits import LOGIN_FAILURES_PER_PAIR_MAX, SIGN_IN_URL_S
from dataagent_server.identity.auth.presented_credentials import PresentedCredentials
from dataagent_server.identity.auth.principal import operator

PASSWORD = "correct horse battery"


async def signed_in_as(installation: Installation, token: str) -> str:
    return (await installation.authenticator.request(PresentedCredentials(cookie=token))).user_id


@pytest.mark.every_database
async def test_every_wrong_login_sounds_the_same(installation: Installation):
    acme = await installation.tenant("acme")
    await installation.person(DEFAULT_TENANT, "ann", password=PASSWORD)
    await installation.person(DEFAULT_TENANT, "nopass")
    await installation.person(acme, "carl", password=PASSWORD)
    gone = await installation.person(DEFAULT_TENANT, "gone", password=PASSWORD)
    await installation.people.members.remove(operator(DEFAULT_TENANT), gone.user_id)
    said: set[str] = set()
    for name, password, tenant in (
        ("ann", "wrong", DEFAULT_TENANT), ("nobody", PASSWORD, DEFAULT_TENANT), ("nopass", "", DEFAULT_TENANT),
        ("carl", PASSWORD, DEFAULT_TENANT), ("ann", PASSWORD, acme), ("ann", PASSWORD, "nowhere"),
        ("a b\x00", PASSWORD, DEFAULT_TENANT), ("gone", PASSWORD, DEFAULT_TENANT),
    ):  # fmt: skip
        with pytest.raises(UnauthenticatedError) as refusal:
            await installation.people.sign_in.login(name, password, address=name, tenant_id=tenant)
        said.add(str(refusal.value))
    assert len(said) == 1


@pytest.mark.every_database
async def test_guessing_is_stopped_also_when_the_last_guess_is_right(installation: Installation):
    await installation.person(DEFAULT_TENANT, "ann", password=PASSWORD)
    tries = await asyncio.gather(
        *(installation.people.sign_in.login("ANN", f"wrong{n}", address="a") for n in range(8)),
        return_exceptions=True,
    )
    assert (
        sum(isinstance(one, UnauthenticatedError) for one in tries) == LOGIN_FAILURES_PER_PAIR_MAX
    )
    with pytest.raises(RateLimitedError):
        await installation.people.sign_in.login("ann", PASSWORD, address="a")
    assert await installation.people.sign_in.login("ann", PASSWORD, address="b")


@pytest.mark.every_database
async def test_a_url_signs_in_once_and_soon(installation: Installation):
    root = operator(DEFAULT_TENANT)
    token = await installation.people.sign_in.sign_in_token(root, DEFAULT_ADMIN)
    tries = await asyncio.gather(
        *(installation.people.sign_in.redeem(token) for _ in range(5)), return_exceptions=True
    )
    entered = [one for one in tries if not isinstance(one, BaseException)]
    assert len(entered) == 1
    assert await signed_in_as(installation, entered[0].token) == DEFAULT_ADMIN
    late = await installation.people.sign_in.sign_in_token(root, DEFAULT_ADMIN)
    ticket = await installation.people.sign_in.ws_ticket(entered[0].principal, "s1")
    installation.time.pass_s(SIGN_IN_URL_S)
    for wrong in (late, ticket, "", "x" * 10_000):
        with pytest.raises(UnauthenticatedError):
            await installation.people.sign_in.redeem(wrong)


@pytest.mark.every_database
async def test_logging_out_ends_this_browser_and_everywhere_ends_all(installation: Installation):
    await installation.person(DEFAULT_TENANT, "ann", password=PASSWORD)
    one, two = [
        await installation.people.sign_in.login("ann", PASSWORD, address="a") for _ in range(2)
    ]
    await signed_in_as(installation, one.token)
    await installation.people.sign_in.log_out(one.principal)
    with pytest.raises(UnauthenticatedError):
        await signed_in_as(installation, one.token)
    await signed_in_as(installation, two.token)
    await installation.people.sign_in.log_out(two.principal, everywhere=True)
    with pytest.raises(UnauthenticatedError):
        await signed_in_as(installation, two.token)


@pytest.mark.every_database
async def test_a_new_password_signs_out_every_other_browser(installation: Installation):
    ann = await installation.person(DEFAULT_TENANT, "ann", password=PASSWORD)
    here, there = [
        await installation.people.sign_in.login("ann", PASSWORD, address="a") for _ in range(2)
    ]
    url = await installation.people.sign_in.sign_in_token(operator(DEFAULT_TENANT), ann.user_id)
    with pytest.raises(DeniedError):
        await installation.people.users.set_password(
            here.principal, ann.user_id, "a new password", current="wrong"
        )
    await installation.people.users.set_password(
        here.principal, ann.user_id, "a new password", current=PASSWORD
    )
    assert await signed_in_as(installation, here.token) == ann.user_id
    with pytest.raises(UnauthenticatedError):
        await signed_in_as(installation, there.token)
    with pytest.raises(UnauthenticatedError):
        await installation.people.sign_in.redeem(url)
    with pytest.raises(UnauthenticatedError):
        await installation.people.sign_in.login("ann", PASSWORD, address="a")
    assert await installation.people.sign_in.login("ann", "a new password", address="a")


@pytest.mark.every_database
async def test_a_weak_password_is_refused(installation: Installation):
    with pytest.raises(ValidationError):
        await installation.person(DEFAULT_TENANT, "ann", password="short")
