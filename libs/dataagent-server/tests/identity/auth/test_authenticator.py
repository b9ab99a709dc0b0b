"""Who gets in, on every database."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from installation import Installation
from pydantic import SecretStr
from sqlalchemy import Connection, select

from dataagent_core.errors import ConfigurationError, DeniedError
from dataagent_core.secrets import Keyring, SecretKey
from dataagent_core.session.stores.sql.dialect import DialectName
from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.common.ids import DEFAULT_ADMIN, DEFAULT_TENANT
from dataagent_server.db.database import Database
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
async def test_configured_keys_are_the_default_admins(installation: Installation):
    for key in LISTED:
        principal = await installation.by_key(key)
        assert (principal.tenant_id, principal.user_id, principal.role) == (
            DEFAULT_TENANT, DEFAULT_ADMIN, "owner",
        )  # fmt: skip
        assert await installation.authenticator.recheck(principal) == principal


@pytest.mark.requirement("S0-30")
@pytest.mark.parametrize("configured_keys", [LISTED])
async def test_s0_property_30_whatever_is_no_valid_key_gets_401(installation: Installation):
    for presented in (
        PresentedCredentials(), PresentedCredentials(api_key="nobody's"), PresentedCredentials(api_key=LISTED[0] + "x"),
        PresentedCredentials(cookie="nobody's"), PresentedCredentials(api_key="wrong", cookie="x"),
    ):  # fmt: skip
        with pytest.raises(UnauthenticatedError):
            await installation.authenticator.request(presented)


@pytest.mark.every_database
async def test_a_made_key_lets_its_owner_in_and_is_stored_as_a_hash_only(
    installation: Installation,
):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    made = await installation.people.keys.create(ann, "laptop", scopes=["chat"])
    principal = await installation.by_key(made.secret)
    assert (principal.user_id, principal.role, principal.scopes) == (
        ann.user_id,
        "member",
        frozenset({"chat"}),
    )
    assert principal.key_id == made.key.key_id
    rows = await installation.database.read(lambda c: c.execute(select(api_keys)).all())
    assert made.secret not in repr(rows)
    assert made.secret not in repr(made)


@pytest.mark.every_database
async def test_revoking_counts_at_once_here_and_in_seconds_elsewhere(installation: Installation):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    made = await installation.people.keys.create(ann, "laptop")
    elsewhere = await installation.by_key(made.secret)
    await installation.people.keys.revoke(ann, made.key.key_id)
    with pytest.raises(UnauthenticatedError):
        await installation.by_key(made.secret)
    with pytest.raises(UnauthenticatedError):
        await installation.authenticator.recheck(elsewhere)


@pytest.mark.every_database
async def test_a_key_stops_when_it_expires(installation: Installation):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    until = installation.time.now() + timedelta(hours=1)
    made = await installation.people.keys.create(ann, "laptop", expires_at=until)
    await installation.by_key(made.secret)
    installation.time.pass_s(3_600)
    with pytest.raises(UnauthenticatedError):
        await installation.by_key(made.secret)


@pytest.mark.every_database
async def test_use_is_written_down_at_most_once_a_minute(installation: Installation):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    made = await installation.people.keys.create(ann, "laptop")

    async def last_used():
        return (await installation.people.keys.get(ann, made.key.key_id)).last_used_at

    first = installation.time.now()
    await installation.by_key(made.secret)
    assert await last_used() == first
    installation.time.pass_s(LAST_USED_EVERY_S - 1)
    await installation.by_key(made.secret)
    assert await last_used() == first
    installation.time.pass_s(6)
    await installation.by_key(made.secret)
    assert await last_used() == installation.time.now()


@pytest.mark.every_database
async def test_a_removed_member_is_nobody_at_once(installation: Installation):
    tenant = await installation.tenant("acme")
    ann = await installation.person(tenant, "ann", password="correct horse")
    made = await installation.people.keys.create(ann, "laptop")
    signed_in = await installation.people.sign_in.login(
        "ann", "correct horse", address="a", tenant_id=tenant
    )
    ticket = await installation.people.sign_in.ws_ticket(signed_in.principal, "s1")
    await installation.by_key(made.secret)
    await installation.people.members.remove(operator(tenant), ann.user_id)
    for presented in (
        PresentedCredentials(api_key=made.secret),
        PresentedCredentials(cookie=signed_in.token),
    ):
        with pytest.raises(UnauthenticatedError):
            await installation.authenticator.request(presented)
    with pytest.raises(UnauthenticatedError):
        await installation.authenticator.websocket(
            PresentedCredentials(), session_id="s1", ticket=ticket
        )


@pytest.mark.every_database
async def test_a_suspended_tenant_lets_nobody_in(installation: Installation):
    tenant = await installation.tenant("acme")
    ann = await installation.person(tenant, "ann")
    made = await installation.people.keys.create(ann, "laptop")
    await installation.by_key(made.secret)
    await installation.people.tenants.change(operator(DEFAULT_TENANT), tenant, is_active=False)
    with pytest.raises(UnauthenticatedError):
        await installation.by_key(made.secret)


@pytest.mark.every_database
async def test_a_changed_role_is_seen_by_a_connection_that_stays_open(installation: Installation):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    made = await installation.people.keys.create(ann, "laptop")
    principal = await installation.by_key(made.secret)
    await installation.people.members.change_role(operator(DEFAULT_TENANT), ann.user_id, "viewer")
    assert (await installation.authenticator.recheck(principal)).role == "viewer"


@pytest.mark.every_database
async def test_a_cookie_needs_our_origin_and_the_token_to_change_something(
    installation: Installation,
):
    ann = await installation.person(DEFAULT_TENANT, "ann", password="correct horse")
    signed_in = await installation.people.sign_in.login("ann", "correct horse", address="a")
    cookie, csrf = signed_in.token, signed_in.csrf_token
    ask = installation.authenticator.request
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
async def test_a_websocket_by_cookie_needs_our_origin(installation: Installation):
    await installation.person(DEFAULT_TENANT, "ann", password="correct horse")
    cookie = (await installation.people.sign_in.login("ann", "correct horse", address="a")).token
    ask = installation.authenticator.websocket
    assert await ask(
        PresentedCredentials(cookie=cookie, origin="https://agent.example"), session_id="s"
    )
    for origin in (None, "https://evil.example"):
        with pytest.raises(DeniedError):
            await ask(PresentedCredentials(cookie=cookie, origin=origin), session_id="s")


@pytest.mark.every_database
async def test_a_login_lives_on_while_it_is_used_but_not_forever(installation: Installation):
    await installation.person(DEFAULT_TENANT, "ann", password="correct horse")
    cookie = (await installation.people.sign_in.login("ann", "correct horse", address="a")).token
    passed = 0.0
    while passed + LOGIN_IDLE_S - 1 < LOGIN_LIFE_S:
        installation.time.pass_s(LOGIN_IDLE_S - 1)
        passed += LOGIN_IDLE_S - 1
        await installation.authenticator.request(PresentedCredentials(cookie=cookie))
    installation.time.pass_s(LOGIN_LIFE_S - passed)
    with pytest.raises(UnauthenticatedError):
        await installation.authenticator.request(PresentedCredentials(cookie=cookie))


@pytest.mark.every_database
async def test_an_idle_login_ends(installation: Installation):
    await installation.person(DEFAULT_TENANT, "ann", password="correct horse")
    cookie = (await installation.people.sign_in.login("ann", "correct horse", address="a")).token
    installation.time.pass_s(LOGIN_IDLE_S)
    with pytest.raises(UnauthenticatedError):
        await installation.authenticator.request(PresentedCredentials(cookie=cookie))


@pytest.mark.every_database
async def test_a_ticket_opens_one_websocket_of_one_session_once(installation: Installation):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    made = await installation.people.keys.create(ann, "laptop", scopes=["read"])
    principal = await installation.by_key(made.secret)
    ticket = await installation.people.sign_in.ws_ticket(principal, "s1")
    ask = installation.authenticator.websocket
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
async def test_a_ticket_is_good_for_thirty_seconds_and_no_longer_than_its_key(
    installation: Installation,
):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    made = await installation.people.keys.create(ann, "laptop")
    principal = await installation.by_key(made.secret)
    late = await installation.people.sign_in.ws_ticket(principal, "s1")
    installation.time.pass_s(30)
    revoked = await installation.people.sign_in.ws_ticket(principal, "s1")
    await installation.people.keys.revoke(ann, made.key.key_id)
    for ticket in (late, revoked):
        with pytest.raises(UnauthenticatedError):
            await installation.authenticator.websocket(
                PresentedCredentials(), session_id="s1", ticket=ticket
            )


@pytest.mark.every_database
async def test_a_request_that_asked_before_a_key_was_revoked_does_not_bring_it_back(
    installation: Installation,
):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    made = await installation.people.keys.create(ann, "laptop")
    asked = installation.cache.generation
    principal = await installation.by_key(made.secret)
    await installation.people.keys.revoke(ann, made.key.key_id)
    installation.cache.put(installation.keyring.hashes("api-key", made.secret)[0], principal, asked)
    with pytest.raises(UnauthenticatedError):
        await installation.by_key(made.secret)


class Counting:
    """The database, counting what is asked of it."""

    def __init__(self, inner: Database) -> None:
        self.inner, self.asked = inner, 0
        self.dialect: DialectName = inner.dialect
        self.url, self.aclose = inner.url, inner.aclose

    async def read(self, work: Callable[[Connection], T]) -> T:
        self.asked += 1
        return await self.inner.read(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        self.asked += 1
        return await self.inner.write(work)


@pytest.mark.every_database
async def test_known_keys_do_not_ask_the_database_again(installation: Installation):
    ann = await installation.person(DEFAULT_TENANT, "ann")
    made = await installation.people.keys.create(ann, "laptop")
    await installation.by_key(made.secret)
    counting = Counting(installation.database)
    guard = CsrfGuard(installation.keyring, public_url=None)
    configured = ConfiguredKeys(installation.keyring)
    installation.authenticator = Authenticator(
        counting,
        installation.keyring,
        installation.cache,
        guard,
        configured,
        clock=installation.time.now,
    )
    await installation.by_key(made.secret)
    assert counting.asked == 0
    installation.time.pass_s(5)
    await installation.by_key(made.secret)
    assert counting.asked == 1
