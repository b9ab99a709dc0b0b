"""What a tenant does not have: out of everybody's reach there, and nowhere else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from installation import Installation

from dataagent_core.config import Settings
from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.errors import DeniedError, ValidationError
from dataagent_core.models import Script, ScriptedChatModel
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.identity.auth.features import (
    FEATURE_OF,
    FEATURES,
    TOOLS_OF,
    Feature,
    list_switched_off,
    list_withheld_tools,
    validate_features,
)
from dataagent_server.identity.auth.may import RULES, Action, Resource, may, require
from dataagent_server.identity.auth.principal import ROLES, Principal, Role, operator

features = st.sampled_from(FEATURES)
T = TenantId("t")


@pytest.mark.every_database
@given(st.frozensets(features), st.sampled_from(ROLES), st.sampled_from(sorted(RULES)))
def test_a_feature_that_is_off_takes_its_actions_away_and_no_others(
    off: frozenset[Feature], role: Role, action: Action
):
    with_all = Principal(T, "ann", role)
    without = Principal(T, "ann", role, features_off=off)
    mine = Resource(T, "key", owner_id="ann")
    expected = may(with_all, action, mine) and FEATURE_OF.get(action) not in off
    assert may(without, action, mine) == expected
    assert may(operator(T), action, mine)


@pytest.mark.every_database
def test_the_refusal_names_the_feature_and_who_can_help():
    ann = Principal(T, "ann", "owner", features_off=frozenset({"api_keys"}))
    with pytest.raises(DeniedError, match=r"'api_keys'.*runs this installation"):
        require(ann, "key.create", Resource(T, "key", owner_id="ann"))


@pytest.mark.every_database
@given(st.dictionaries(features | st.text(max_size=5), st.booleans()))
def test_what_is_not_named_false_is_on(stored: dict[str, bool]):
    off = list_switched_off(stored)
    assert off == {name for name in FEATURES if stored.get(name, True) is False}
    assert list_switched_off(None) == frozenset()
    named = {tool for feature in off for tool in TOOLS_OF.get(feature, ())}
    assert list_withheld_tools(off) == named


@pytest.mark.every_database
def test_every_withheld_tool_is_one_that_agents_have(tmp_path: Path):
    model = ScriptedChatModel(script=Script.model_validate({"steps": [{"text": "x"}]}))
    settings = Settings(home=tmp_path / "home", searxng_url="http://127.0.0.1:9")

    def offered(withheld: frozenset[str]) -> set[str]:
        config = AgentConfig(
            assistant_id="a", model=model, workspace_path=tmp_path, withheld_tools=withheld
        )
        return {tool.name for tool in AgentFactory(settings).built_in_tools(config)}

    everything = offered(frozenset())
    withheld = list_withheld_tools(frozenset(FEATURES))
    assert withheld <= everything
    assert offered(withheld) == everything - withheld


@pytest.mark.every_database
async def test_a_name_that_means_nothing_is_refused_and_nothing_saved(installation: Installation):
    root = operator(DEFAULT_TENANT)
    acme = await installation.tenant("acme")
    with pytest.raises(ValidationError, match=r"'websearch', which is no feature.*web"):
        await installation.people.tenants.change(root, acme, limits={"features_enabled": {"websearch": True}})  # fmt: skip
    tenant = await installation.people.tenants.get(root, acme)
    assert (tenant.limits.features_enabled, tenant.version) == ({}, 1)
    assert validate_features(dict.fromkeys(FEATURES, False)) == dict.fromkeys(FEATURES, False)


@pytest.mark.every_database
async def test_a_key_loses_a_feature_with_the_next_request(installation: Installation):
    root = operator(DEFAULT_TENANT)
    acme = await installation.tenant("acme")
    ann = await installation.person(acme, "ann", "owner")
    key = (await installation.people.keys.create(ann, "laptop")).secret
    limits = {"features_enabled": {"api_keys": False, "web": True}}
    await installation.people.tenants.change(root, acme, limits=limits)
    known = await installation.by_key(key)
    assert known.features_off == {"api_keys"}
    with pytest.raises(DeniedError):
        await installation.people.keys.create(known, "another")
    await installation.people.tenants.change(root, acme, limits={"features_enabled": {}})
    assert (await installation.by_key(key)).features_off == frozenset()
