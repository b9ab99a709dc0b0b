"""Who gets in, on every database."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

import pytest
from house import House
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from sqlalchemy import Connection, select

from dataagent_core.errors import ConfigurationError, DeniedError
from dataagent_core.secrets import Keyring, SecretKey
from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.common.ids import DEFAULT_ADMIN, DEFAULT_TENANT
from dataagent_server.db.database import Database, Dialect
from dataagent_server.db.tables.people import api_keys
from dataagent_server.identity.auth.authenticator import Authenticator
from dataagent_server.identity.auth.configured_keys import ConfiguredKeys
from dataagent_server.identity.auth.csrf import CsrfGuard
from dataagent_server.identity.auth.limits import LAST_USED_EVERY_S, LOGIN_IDLE_S, LOGIN_LIFE_S
from dataagent_server.identity.auth.presented_credentials import PresentedCredentials
from dataagent_server.identity.auth.principal import operator

T = TypeVar("T")
RING = Keyring([SecretKey("one", b"1" * 32)])
LISTED = ["operator-chose-this", "and this one too", "k" * 512]
sendable = st.text(
    st.characters(min_codepoint=32, max_codepoint=126), min_size=8, max_size=80
).filter(lambda text: text == text.strip())


@pytest.mark.every_database
@pytest.mark.requirement("S0-31")
@given(st.lists(sendable, min_size=1, max_size=8, unique=True))
def test_s0_property_31_every_configured_key_is_known(listed: list[str]):
    known = ConfiguredKeys(RING, [SecretStr(key) for key in listed])
    ids = {known.find(RING.hashes("api-key", key)) for key in listed}
    assert None not in ids
    assert len(ids) == len(listed)
    assert all(str(key_id) in known for key_id in ids)


@pytest.mark.every_database
@pytest.mark.requirement("S0-30")
@given(st.lists(sendable, max_size=8), st.text(max_size=80))
def test_s0_property_30_no_other_key_is_known(listed: list[str], other: str):
    known = ConfiguredKeys(RING, [SecretStr(key) for key in listed])
    if other not in listed:
        assert known.find(RING.hashes("api-key", other)) is None


@pytest.mark.parametrize(
    "key", ["", "   ", "xyzzy", " spaces outside", "tab\tinside", "ключ-ключ-ключ", "k" * 513]
)
def test_an_impossible_configured_key_is_refused_without_showing_it(key: str):
    with pytest.raises(ConfigurationError, match="Key 2 of DATAAGENT_API_KEYS") as refusal:
        ConfiguredKeys(RING, [SecretStr("a-good-long-key"), SecretStr(key)])
    assert not key.strip() or key not in str(refusal.value)


@pytest.mark.parametrize("configured_keys", [LISTED])
async def test_configured_keys_are_the_default_admins(house: House):
    for key in LISTED:
        principal = await house.by_key(key)
        assert (principal.tenant_id, principal.user_id, principal.role) == (
            DEFAULT_TENANT, DEFAULT_ADMIN, "owner",
        )  # fmt: skip
        assert await house.authenticator.recheck(principal) == principal


@pytest.mark.requirement("S0-30")
@pytest.mark.parametrize("configured_keys", [LISTED])
async def test_s0_property_30_whatever_is_no_valid_key_gets_401(house: House):
    for presented in (
        PresentedCredentials(), PresentedCredentials(api_key="nobody's"), PresentedCredentials(api_key=LISTED[0] + "x"),
        PresentedCredentials(cookie="nobody's"), PresentedCredentials(api_key="wrong", cookie="x"),
    ):  # fmt: skip
        with pytest.raises(UnauthenticatedError):
            await house.authenticator.request(presented)


@pytest.mark.every_database
async def test_a_made_key_lets_its_owner_in_and_is_stored_as_a_hash_only(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    made = await house.people.keys.create(ann, "laptop", scopes=["chat"])
    principal = await house.by_key(made.secret)
    assert (principal.user_id, principal.role, principal.scopes) == (
        ann.user_id,
        "member",
        frozenset({"chat"}),
    )
    assert principal.key_id == made.key.key_id
    rows = await house.database.read(lambda c: c.execute(select(api_keys)).all())
    assert made.secret not in repr(rows)
    assert made.secret not in repr(made)


@pytest.mark.every_database
async def test_revoking_counts_at_once_here_and_in_seconds_elsewhere(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    made = await house.people.keys.create(ann, "laptop")
    elsewhere = await house.by_key(made.secret)
    await house.people.keys.revoke(ann, made.key.key_id)
    with pytest.raises(UnauthenticatedError):
        await house.by_key(made.secret)
    with pytest.raises(UnauthenticatedError):
        await house.authenticator.recheck(elsewhere)


@pytest.mark.every_database
async def test_a_key_stops_when_it_expires(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    until = house.time.now() + timedelta(hours=1)
    made = await house.people.keys.create(ann, "laptop", expires_at=until)
    await house.by_key(made.secret)
    house.time.pass_s(3_600)
    with pytest.raises(UnauthenticatedError):
        await house.by_key(made.secret)


@pytest.mark.every_database
async def test_use_is_written_down_at_most_once_a_minute(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    made = await house.people.keys.create(ann, "laptop")

    async def last_used():
        return (await house.people.keys.get(ann, made.key.key_id)).last_used_at

    first = house.time.now()
    await house.by_key(made.secret)
    assert await last_used() == first
    house.time.pass_s(LAST_USED_EVERY_S - 1)
    await house.by_key(made.secret)
    assert await last_used() == first
    house.time.pass_s(6)
    await house.by_key(made.secret)
    assert await last_used() == house.time.now()


@pytest.mark.every_database
async def test_a_removed_member_is_nobody_at_once(house: House):
    tenant = await house.tenant("acme")
    ann = await house.person(tenant, "ann", password="correct horse")
    made = await house.people.keys.create(ann, "laptop")
    signed_in = await house.people.sign_in.login(
        "ann", "correct horse", address="a", tenant_id=tenant
    )
    ticket = await house.people.sign_in.ws_ticket(signed_in.principal, "s1")
    await house.by_key(made.secret)
    await house.people.members.remove(operator(tenant), ann.user_id)
    for presented in (
        PresentedCredentials(api_key=made.secret),
        PresentedCredentials(cookie=signed_in.token),
    ):
        with pytest.raises(UnauthenticatedError):
            await house.authenticator.request(presented)
    with pytest.raises(UnauthenticatedError):
        await house.authenticator.websocket(PresentedCredentials(), session_id="s1", ticket=ticket)


@pytest.mark.every_database
async def test_a_suspended_tenant_lets_nobody_in(house: House):
    tenant = await house.tenant("acme")
    ann = await house.person(tenant, "ann")
    made = await house.people.keys.create(ann, "laptop")
    await house.by_key(made.secret)
    await house.people.tenants.change(operator(DEFAULT_TENANT), tenant, is_active=False)
    with pytest.raises(UnauthenticatedError):
        await house.by_key(made.secret)


@pytest.mark.every_database
async def test_a_changed_role_is_seen_by_a_connection_that_stays_open(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    made = await house.people.keys.create(ann, "laptop")
    principal = await house.by_key(made.secret)
    await house.people.members.change_role(operator(DEFAULT_TENANT), ann.user_id, "viewer")
    assert (await house.authenticator.recheck(principal)).role == "viewer"


@pytest.mark.every_database
async def test_a_cookie_needs_our_origin_and_the_token_to_change_something(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann", password="correct horse")
    signed_in = await house.people.sign_in.login("ann", "correct horse", address="a")
    cookie, csrf = signed_in.token, signed_in.csrf_token
    ask = house.authenticator.request
    assert (await ask(PresentedCredentials(cookie=cookie))).user_id == ann.user_id
    ours = "https://agent.example"
    assert await ask(
        PresentedCredentials(cookie=cookie, csrf_token=csrf, origin=ours, method="POST")
    )
    for wrong in (
        PresentedCredentials(cookie=cookie, method="POST"),
        PresentedCredentials(cookie=cookie, csrf_token=csrf, method="DELETE"),
        PresentedCredentials(cookie=cookie, origin=ours, method="PATCH"),
        PresentedCredentials(
            cookie=cookie, csrf_token=csrf, origin="https://evil.example", method="POST"
        ),
    ):
        with pytest.raises(DeniedError):
            await ask(wrong)


@pytest.mark.every_database
async def test_a_websocket_by_cookie_needs_our_origin(house: House):
    await house.person(DEFAULT_TENANT, "ann", password="correct horse")
    cookie = (await house.people.sign_in.login("ann", "correct horse", address="a")).token
    ask = house.authenticator.websocket
    assert await ask(
        PresentedCredentials(cookie=cookie, origin="https://agent.example"), session_id="s"
    )
    for origin in (None, "https://evil.example"):
        with pytest.raises(DeniedError):
            await ask(PresentedCredentials(cookie=cookie, origin=origin), session_id="s")


@pytest.mark.every_database
async def test_a_login_lives_on_while_it_is_used_but_not_forever(house: House):
    await house.person(DEFAULT_TENANT, "ann", password="correct horse")
    cookie = (await house.people.sign_in.login("ann", "correct horse", address="a")).token
    passed = 0.0
    while passed + LOGIN_IDLE_S - 1 < LOGIN_LIFE_S:
        house.time.pass_s(LOGIN_IDLE_S - 1)
        passed += LOGIN_IDLE_S - 1
        await house.authenticator.request(PresentedCredentials(cookie=cookie))
    house.time.pass_s(LOGIN_LIFE_S - passed)
    with pytest.raises(UnauthenticatedError):
        await house.authenticator.request(PresentedCredentials(cookie=cookie))


@pytest.mark.every_database
async def test_an_idle_login_ends(house: House):
    await house.person(DEFAULT_TENANT, "ann", password="correct horse")
    cookie = (await house.people.sign_in.login("ann", "correct horse", address="a")).token
    house.time.pass_s(LOGIN_IDLE_S)
    with pytest.raises(UnauthenticatedError):
        await house.authenticator.request(PresentedCredentials(cookie=cookie))


@pytest.mark.every_database
async def test_a_ticket_opens_one_websocket_of_one_session_once(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    made = await house.people.keys.create(ann, "laptop", scopes=["read"])
    principal = await house.by_key(made.secret)
    ticket = await house.people.sign_in.ws_ticket(principal, "s1")
    ask = house.authenticator.websocket
    with pytest.raises(UnauthenticatedError):
        await ask(PresentedCredentials(), session_id="s2", ticket=ticket)
    tries = await asyncio.gather(
        *(ask(PresentedCredentials(), session_id="s1", ticket=ticket) for _ in range(5)),
        return_exceptions=True,
    )
    opened = [one for one in tries if not isinstance(one, BaseException)]
    assert len(opened) == 1
    assert (opened[0].user_id, opened[0].scopes, opened[0].via) == (
        ann.user_id,
        frozenset({"read"}),
        "ticket",
    )


@pytest.mark.every_database
async def test_a_ticket_is_good_for_thirty_seconds_and_no_longer_than_its_key(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    made = await house.people.keys.create(ann, "laptop")
    principal = await house.by_key(made.secret)
    late = await house.people.sign_in.ws_ticket(principal, "s1")
    house.time.pass_s(30)
    revoked = await house.people.sign_in.ws_ticket(principal, "s1")
    await house.people.keys.revoke(ann, made.key.key_id)
    for ticket in (late, revoked):
        with pytest.raises(UnauthenticatedError):
            await house.authenticator.websocket(
                PresentedCredentials(), session_id="s1", ticket=ticket
            )


@pytest.mark.every_database
async def test_a_request_that_asked_before_a_key_was_revoked_does_not_bring_it_back(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    made = await house.people.keys.create(ann, "laptop")
    asked = house.cache.generation
    principal = await house.by_key(made.secret)
    await house.people.keys.revoke(ann, made.key.key_id)
    house.cache.put(house.keyring.hashes("api-key", made.secret)[0], principal, asked)
    with pytest.raises(UnauthenticatedError):
        await house.by_key(made.secret)


class Counting:
    """The database, counting what is asked of it."""

    def __init__(self, inner: Database) -> None:
        self.inner, self.asked = inner, 0
        self.dialect: Dialect = inner.dialect
        self.url, self.aclose = inner.url, inner.aclose

    async def read(self, work: Callable[[Connection], T]) -> T:
        self.asked += 1
        return await self.inner.read(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        self.asked += 1
        return await self.inner.write(work)


@pytest.mark.every_database
async def test_known_keys_do_not_ask_the_database_again(house: House):
    ann = await house.person(DEFAULT_TENANT, "ann")
    made = await house.people.keys.create(ann, "laptop")
    await house.by_key(made.secret)
    counting = Counting(house.database)
    guard = CsrfGuard(house.keyring, public_url=None)
    configured = ConfiguredKeys(house.keyring)
    house.authenticator = Authenticator(
        counting, house.keyring, house.cache, guard, configured, clock=house.time.now
    )
    await house.by_key(made.secret)
    assert counting.asked == 0
    house.time.pass_s(5)
    await house.by_key(made.secret)
    assert counting.asked == 1
