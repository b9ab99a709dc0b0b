"""A server whose graph is in Neo4j: it says at its start what is wrong, and is ready while it is."""

from dataclasses import replace

import pytest

from dataagent_core.errors import ConfigurationError
from dataagent_core.ids import new_id
from dataagent_core.memory.graph.neo4j.neo4j_graph_store import Neo4jGraphStore
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.testing.conformance.graph import make_entry, make_episode
from dataagent_server.common.ids import TenantId
from dataagent_server.composition.services import Services
from tests.server.fixtures import MakeApi, app_of
from tests.services.neo4j.service import PASSWORD, USER
from tests.services.process import free_port


async def test_a_server_that_cannot_reach_neo4j_names_the_setting_and_does_not_start(
    make_api: MakeApi,
):
    uri = f"bolt://127.0.0.1:{free_port()}"
    with pytest.raises(ConfigurationError, match=f"DATAAGENT_NEO4J_URI={uri}"):
        async with make_api(neo4j_uri=uri, neo4j_password=PASSWORD):
            pass


@pytest.mark.slow
@pytest.mark.requirement("S2-3.1-neo4j")
async def test_a_server_with_neo4j_keeps_the_graph_there_and_is_ready(
    make_api: MakeApi, neo4j_uri: str
):
    wanted = {"neo4j_uri": neo4j_uri, "neo4j_user": USER, "neo4j_password": PASSWORD}
    async with make_api(**wanted) as api:
        ready = await api.get("/api/v1/ready")
        services: Services = app_of(api).state.services
        memory = services.memory_remover.memory_of(TenantId("default"))
    assert ready.json()["checks"]["neo4j"] == "ok"
    assert isinstance(memory.graph_store, Neo4jGraphStore)


@pytest.mark.slow
async def test_a_project_goes_with_its_graph_also_where_nothing_else_was_remembered(
    make_api: MakeApi, neo4j_uri: str
):
    wanted = {"neo4j_uri": neo4j_uri, "neo4j_user": USER, "neo4j_password": PASSWORD}
    tenant_id, project_id = TenantId("default"), new_id()
    project = MemoryScope.of_project(tenant_id, "ada", "assistant", project_id)
    beside = MemoryScope.of_user(tenant_id, "ada", project_id)
    async with make_api(**wanted) as api:
        services: Services = app_of(api).state.services
        store = services.memory_remover.memory_of(tenant_id).graph_store
        for scope in (project, beside):
            episode = replace(make_episode(1, "Ada", scope), id=new_id())
            await store.add_episode(episode, make_entry("ada"))
        assert {project, beside} <= set(await store.list_own_scopes())
        await services.memory_remover.remove_project(tenant_id, project_id)
        assert await store.list_episodes([project], limit=9) == []
        assert len(await store.list_episodes([beside], limit=9)) == 1
        await services.memory_remover.remove_person(tenant_id, "ada")
        assert await store.list_episodes([beside], limit=9) == []
