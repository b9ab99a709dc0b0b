"""A tenant's model keys: encrypted, never shown, never sent elsewhere; on every database."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from installation import Installation
from pydantic import SecretStr
from sqlalchemy import Connection, select, update

from dataagent_core.config import Settings
from dataagent_core.errors import (
    ConfigurationError,
    ConflictError,
    DeniedError,
    NotFoundError,
    StorageError,
    ValidationError,
)
from dataagent_core.models.providers import PROVIDERS
from dataagent_server.agents.credentials.apply_credentials import settings_for
from dataagent_server.agents.credentials.base_url_check import why_not
from dataagent_server.agents.credentials.model_credential import UsableCredential
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.people import model_credentials
from dataagent_server.identity.auth.principal import Principal

KEY = "sk-proj-0123456789abcd"


async def owner(installation: Installation, name: str) -> Principal:
    return await installation.person(await installation.tenant(name), "boss", "owner")


@pytest.mark.every_database
async def test_a_key_is_stored_encrypted_shown_by_its_end_and_given_to_runs(
    installation: Installation,
):
    boss = await owner(installation, "acme")
    shown = await installation.people.credentials.put(
        boss, "openai", key=KEY, default_model="gpt-5.5"
    )
    assert (shown.has_key, shown.last_four, shown.version) == (True, "abcd", 1)
    assert KEY not in repr(await installation.people.credentials.list(boss))
    rows = await installation.database.read(lambda c: c.execute(select(model_credentials)).all())
    assert KEY not in repr(rows)
    usable = await installation.people.credentials.credentials_for(boss.tenant_id)
    assert usable == [UsableCredential("openai", SecretStr(KEY), None, "gpt-5.5")]
    assert await installation.people.credentials.credentials_for(TenantId("other")) == []


@pytest.mark.every_database
async def test_a_row_moved_to_another_tenant_does_not_decrypt(installation: Installation):
    acme, evil = await owner(installation, "acme"), await owner(installation, "evil")
    await installation.people.credentials.put(acme, "openai", key=KEY)
    await installation.people.credentials.put(evil, "openai", key="sk-of-their-own-1234")

    def steal(connection: Connection) -> None:
        column = model_credentials.c
        secret = connection.execute(
            select(column.secret).where(column.tenant_id == acme.tenant_id)
        ).scalar()
        connection.execute(
            update(model_credentials)
            .where(column.tenant_id == evil.tenant_id)
            .values(secret=secret)
        )

    await installation.database.write(steal)
    with pytest.raises(StorageError):
        await installation.people.credentials.credentials_for(evil.tenant_id)
    assert (await installation.people.credentials.credentials_for(acme.tenant_id))[
        0
    ].key == SecretStr(KEY)


@pytest.mark.every_database
async def test_stars_keep_the_key_but_not_for_another_address(installation: Installation):
    boss = await owner(installation, "acme")
    put = installation.people.credentials.put
    await put(boss, "openai", key=KEY)
    kept = await put(boss, "openai", key="***", default_model="gpt-5.5")
    assert (kept.last_four, kept.version) == ("abcd", 2)
    with pytest.raises(ValidationError, match="entered again"):
        await put(boss, "openai", key="***", base_url="https://evil.example/v1")
    with pytest.raises(ValidationError):
        await put(boss, "anthropic", key="***")
    usable = await installation.people.credentials.credentials_for(boss.tenant_id)
    assert (usable[0].key, usable[0].base_url) == (SecretStr(KEY), None)


@pytest.mark.every_database
async def test_only_admins_see_or_change_them_and_foreign_ones_are_not_there(
    installation: Installation,
):
    boss, other = await owner(installation, "acme"), await owner(installation, "other")
    await installation.people.credentials.put(boss, "openai", key=KEY)
    member = await installation.person(boss.tenant_id, "ann")
    for refused in (
        installation.people.credentials.list(member), installation.people.credentials.get(member, "openai"),
        installation.people.credentials.put(member, "openai", key="x"), installation.people.credentials.delete(member, "openai"),
    ):  # fmt: skip
        with pytest.raises(DeniedError):
            await refused
    for refused in (
        installation.people.credentials.get(other, "openai"),
        installation.people.credentials.delete(other, "openai"),
    ):
        with pytest.raises(NotFoundError):
            await refused
    await installation.people.credentials.delete(boss, "openai")
    assert await installation.people.credentials.list(boss) == []


@pytest.mark.parametrize(
    ("provider", "fields"),
    [
        ("scripted", {"key": "x"}), ("demo", {"key": "x"}), ("nobody", {"key": "x"}), ("openai", {"key": None}),
        ("openai", {"key": "with space"}), ("openai", {"key": "kéy"}), ("ollama", {"key": "x"}),
        ("google_genai", {"key": KEY, "base_url": "https://a.example"}),
        ("openai", {"key": KEY, "base_url": "http://a.example"}), ("openai", {"key": KEY, "base_url": "file:///etc"}),
        ("openai", {"key": KEY, "base_url": "https://u:p@a.example"}), ("openai", {"key": KEY, "default_model": "a\nb"}),
        ("openai", {"key": KEY, "base_url": "https://metadata.example"}),
        ("openai", {"key": KEY, "base_url": "https://private.example"}),
        ("openai", {"key": KEY, "base_url": "https://both.example"}),
    ],
)  # fmt: skip
async def test_what_cannot_be_is_refused_and_nothing_stored(
    installation: Installation, provider: str, fields: dict[str, str]
):
    boss = await owner(installation, "acme")
    installation.addresses |= {
        "metadata.example": ["169.254.169.254"],
        "private.example": ["10.0.0.8"],
        "both.example": ["93.184.215.14", "127.0.0.1"],
    }
    with pytest.raises(ValidationError):
        await installation.people.credentials.put(boss, provider, **fields)  # pyright: ignore[reportArgumentType]
    assert await installation.people.credentials.list(boss) == []


@pytest.mark.every_database
async def test_a_name_that_leads_inside_by_now_is_refused_when_a_run_begins(
    installation: Installation,
):
    boss = await owner(installation, "acme")
    await installation.people.credentials.put(
        boss, "openai", key=KEY, base_url="https://moved.example/v1/"
    )
    assert (await installation.people.credentials.credentials_for(boss.tenant_id))[
        0
    ].base_url == "https://moved.example/v1"
    installation.addresses["moved.example"] = ["127.0.0.1"]
    with pytest.raises(ValidationError):
        await installation.people.credentials.credentials_for(boss.tenant_id)


@pytest.mark.every_database
async def test_a_version_somebody_has_not_seen_is_a_conflict(installation: Installation):
    boss = await owner(installation, "acme")
    await installation.people.credentials.put(boss, "openai", key=KEY, version=0)
    for stale in (0, 2):
        with pytest.raises(ConflictError):
            await installation.people.credentials.put(
                boss, "openai", key="another-key", version=stale
            )


@pytest.mark.every_database
async def test_a_short_key_shows_nothing_of_itself(installation: Installation):
    boss = await owner(installation, "acme")
    assert (
        await installation.people.credentials.put(boss, "openai", key="12345678")
    ).last_four is None


@pytest.mark.parametrize(
    "text", ["169.254.169.254", "fe80::1", "::ffff:169.254.169.254", "100.100.100.200"]
)
def test_metadata_addresses_are_refused_even_when_vouched_for(text: str):
    from ipaddress import ip_address

    assert why_not([ip_address(text)], vouched=True) is not None
    assert why_not([ip_address("10.0.0.8")], vouched=True) is None


names = st.sampled_from(["openai", "anthropic", "deepseek", "dashscope"])
maybe_key = st.none() | st.just(SecretStr("tenants-key"))
maybe_url = st.none() | st.just("https://tenant.example")


@pytest.mark.every_database
@given(
    st.lists(
        st.builds(UsableCredential, names, maybe_key, maybe_url, st.none()),
        unique_by=lambda c: c.provider,
    )
)
def test_the_operators_key_never_meets_a_tenants_address(credentials: list[UsableCredential]):
    environment = {"DATAAGENT_HOME": "/nowhere"}
    for provider in ("OPENAI", "ANTHROPIC", "DEEPSEEK", "DASHSCOPE"):
        environment |= {
            f"{provider}_API_KEY": "operators-key",
            f"{provider}_BASE_URL": "https://operator.example",
        }
    settings = Settings.load(environment, Path("/nowhere"))
    applied = settings_for(settings, credentials)
    given_by_tenant = {credential.provider for credential in credentials}
    for name in ("openai", "anthropic", "deepseek", "dashscope"):
        provider = PROVIDERS[name]
        key, url = provider.key(applied), provider.base_url(applied)
        whose_key = key.get_secret_value() if key else None
        if name in given_by_tenant:
            assert whose_key != "operators-key"
            assert url != "https://operator.example"
        else:
            assert (whose_key, url) == ("operators-key", "https://operator.example")


@pytest.mark.every_database
def test_a_tenants_address_without_a_key_needs_none_and_no_credentials_change_nothing():
    settings = Settings.load(
        {"DATAAGENT_HOME": "/nowhere", "OPENAI_API_KEY": "operators-key"}, Path("/nowhere")
    )
    assert settings_for(settings, []) is settings
    applied = settings_for(settings, [UsableCredential("openai", None, "https://t.example", "m")])
    assert PROVIDERS["openai"].required_key(applied).get_secret_value() == "not-needed"
    assert applied.model == "openai:m"
    empty = settings_for(settings, [UsableCredential("anthropic", SecretStr("k"), None, None)])
    with pytest.raises(ConfigurationError):
        PROVIDERS["deepseek"].required_key(empty)
