"""The command line's stores."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from mcp_people import ADA, BOB, KEYRING, a_store

from dataagent_core.errors import ConfigurationError, StorageError
from dataagent_core.mcp.oauth import FileTokenStore, MemoryFlows, PendingFlows, TokenStore
from dataagent_core.mcp.oauth.pending_flow import PendingFlow
from dataagent_core.mcp.oauth.tokens import OAuthTokens, dump_tokens, load_tokens
from dataagent_core.mcp.owner import Owner
from dataagent_core.secrets import Cipher, Keyring, SecretKey
from dataagent_core.testing.conformance.mcp_oauth import (
    CLIENT,
    RESOURCE,
    TOKENS,
    PendingFlowsConformance,
    TokenStoreConformance,
    a_flow,
)


class TestFileTokenStore(TokenStoreConformance):
    @pytest.fixture
    def token_store(self, tmp_path: Path) -> TokenStore:
        return a_store(tmp_path)

    @pytest.fixture
    def token_store_twin(self, tmp_path: Path) -> TokenStore:
        return a_store(tmp_path)


class TestMemoryFlows(PendingFlowsConformance):
    @pytest.fixture
    def pending_flows(self) -> PendingFlows:
        return MemoryFlows()


@pytest.mark.requirement("S2-10.3.3-storage")
async def test_the_file_is_its_owners_alone_and_holds_no_secret(tmp_path: Path):
    store = a_store(tmp_path)
    await store.set_tokens(ADA, RESOURCE, TOKENS)
    await store.set_client(ADA, RESOURCE, CLIENT)
    file = tmp_path / "mcp-auth.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert not {"access", "refresh", "secret", "ada", RESOURCE} & set(file.read_text().split('"'))
    assert [one for one in tmp_path.iterdir() if one.name.startswith(".")] == []
    assert all(one.stat().st_mode & 0o777 == 0o600 for one in file.with_suffix(".locks").iterdir())


async def test_a_file_that_was_open_to_others_is_closed_by_the_next_write(tmp_path: Path):
    store = a_store(tmp_path)
    await store.set_tokens(ADA, RESOURCE, TOKENS)
    (tmp_path / "mcp-auth.json").chmod(0o644)
    await store.set_client(ADA, RESOURCE, CLIENT)
    assert (tmp_path / "mcp-auth.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("owner", "resource"),
    [
        (BOB, RESOURCE),
        (Owner("other", "ada"), RESOURCE),
        (ADA, "https://evil.example/notes"),
    ],
)
async def test_a_ciphertext_moved_to_another_place_does_not_open(
    tmp_path: Path, owner: Owner, resource: str
):
    store = a_store(tmp_path)
    await store.set_tokens(ADA, RESOURCE, TOKENS)
    file = tmp_path / "mcp-auth.json"
    (mine,) = json.loads(file.read_text()).values()
    await store.set_tokens(owner, resource, TOKENS)
    entries = json.loads(file.read_text())
    file.write_text(json.dumps(dict.fromkeys(entries, mine)))
    assert await store.get_tokens(ADA, RESOURCE) == TOKENS
    with pytest.raises(StorageError, match="belongs elsewhere"):
        await store.get_tokens(owner, resource)


async def test_another_installations_key_does_not_open_it(tmp_path: Path):
    await a_store(tmp_path).set_tokens(ADA, RESOURCE, TOKENS)
    other = a_store(tmp_path, Keyring((SecretKey("one", b"2" * 32),)))
    with pytest.raises(StorageError, match="was changed"):
        await other.get_tokens(ADA, RESOURCE)


async def test_a_replaced_key_still_opens_what_the_old_one_closed(tmp_path: Path):
    await a_store(tmp_path).set_tokens(ADA, RESOURCE, TOKENS)
    rotated = Keyring((SecretKey("two", b"2" * 32), *KEYRING.keys))
    assert await a_store(tmp_path, rotated).get_tokens(ADA, RESOURCE) == TOKENS


@pytest.mark.parametrize(
    "text", ["", "[]", "not json", '{"a": 1}', '{"a": {"tokens": 1}}', "{" * 9]
)
async def test_a_damaged_file_is_said_and_left_as_it_is(tmp_path: Path, text: str):
    file = tmp_path / "mcp-auth.json"
    file.write_text(text)
    store = a_store(tmp_path)
    with pytest.raises(ConfigurationError, match="sign in again"):
        await store.get_tokens(ADA, RESOURCE)
    with pytest.raises(ConfigurationError, match="sign in again"):
        await store.set_tokens(ADA, RESOURCE, TOKENS)
    assert file.read_text() == text


async def test_nothing_is_made_by_looking(tmp_path: Path):
    def never() -> Cipher:
        raise AssertionError

    store = FileTokenStore(tmp_path / "agents" / "mcp-auth.json", never)
    assert await store.get_tokens(ADA, RESOURCE) is None
    assert list(tmp_path.iterdir()) == []


async def test_a_holder_that_never_lets_go_is_not_waited_for_for_ever(tmp_path: Path):
    path = tmp_path / "mcp-auth.json"
    store = FileTokenStore(path, lambda: Cipher(KEYRING), lock_wait_s=0.1)
    async with store.lock(ADA, RESOURCE):
        with pytest.raises(StorageError, match="does not let go"):
            async with asyncio.timeout(60), store.lock(ADA, RESOURCE):
                pass


def test_a_pending_flow_survives_being_written():
    flow = a_flow("state")
    assert load_tokens(PendingFlow, dump_tokens(flow)) == flow
    assert "state" not in flow.flow_id


def test_neither_tokens_nor_flows_show_their_secrets():
    shown = repr(TOKENS) + repr(a_flow("the-state"))
    assert not [
        s for s in ("'access'", "'refresh'", "'secret'", "the-state", "verifier='") if s in shown
    ]


def test_what_another_version_wrote_is_a_reason_to_sign_in_again():
    with pytest.raises(StorageError, match="Sign in again"):
        load_tokens(OAuthTokens, '{"access_token": "secret-thing"}')


async def test_too_many_or_too_old_sign_ins_make_room():
    clock = [1_000.0]
    flows = MemoryFlows(lambda: clock[0])
    old = replace(a_flow("old"), created_at=1_000.0)
    await flows.keep(old)
    clock[0] += 901
    await flows.keep(replace(a_flow("new"), created_at=clock[0]))
    assert await flows.take(old.flow_id) is None
    for n in range(1_001):
        await flows.keep(replace(a_flow(str(n)), created_at=clock[0]))
    assert await flows.take(a_flow("0").flow_id) is None
    assert await flows.take(a_flow("1000").flow_id) is not None
