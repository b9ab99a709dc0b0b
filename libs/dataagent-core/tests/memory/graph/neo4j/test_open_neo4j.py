"""What is wrong with the settings of Neo4j is said at once, by their names."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr

from dataagent_core.config.settings import Settings
from dataagent_core.errors import ConfigurationError
from dataagent_core.language.chinese import in_chinese
from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase
from dataagent_core.memory.graph.neo4j.open_neo4j import open_neo4j
from tests.services.process import free_port

PASSWORD = "not the password"


def settings_with(**changes: Any) -> Settings:
    wanted: dict[str, Any] = {
        "neo4j_uri": f"bolt://127.0.0.1:{free_port()}",
        "neo4j_password": SecretStr(PASSWORD),
    }
    return Settings(**(wanted | changes))


async def test_without_an_address_the_graph_is_in_the_servers_database() -> None:
    assert await open_neo4j(Settings(neo4j_uri=None)) is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "DATAAGENT_NEO4J_URI=bolt://127.0.0.1:.*nothing answers there"),
        ({"neo4j_password": None}, "DATAAGENT_NEO4J_PASSWORD is not: set it"),
        ({"neo4j_uri": "bolt://neo4j:secret@host"}, "DATAAGENT_NEO4J_URI holds a name or a pass"),
        ({"neo4j_uri": "bolt://127.0.0.1:1/db"}, "DATAAGENT_NEO4J_URI=bolt://127.0.0.1:1: what"),
        ({"neo4j_uri": "bolt://no.such.host.invalid"}, "DATAAGENT_NEO4J_URI=bolt://no.such.host"),
    ],
)
async def test_a_wrong_setting_is_named(changes: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigurationError, match=told) as refused:
        await open_neo4j(settings_with(**changes))
    assert in_chinese(str(refused.value)) != str(refused.value)
    assert PASSWORD not in str(refused.value)
    assert "secret" not in str(refused.value)


async def test_an_address_of_another_kind_is_refused_when_settings_are_read() -> None:
    with pytest.raises(ConfigurationError, match="neo4j_uri"):
        settings_with(neo4j_uri="http://localhost:7474")


async def test_the_driver_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        assert name == "neo4j"

    finder: Callable[[str], None] = nothing
    monkeypatch.setattr("dataagent_core.memory.graph.neo4j.open_neo4j.find_spec", finder)
    with pytest.raises(ConfigurationError, match=r"dataagent-core\[neo4j\]"):
        await open_neo4j(settings_with())


@pytest.mark.slow
async def test_a_wrong_name_or_password_is_named_and_not_shown(graph_settings: Settings) -> None:
    for changes in ({"neo4j_user": "nobody"}, {"neo4j_password": SecretStr(PASSWORD)}):
        wrong = graph_settings.model_copy(update=changes)
        with pytest.raises(ConfigurationError, match="DATAAGENT_NEO4J_USER and") as refused:
            await open_neo4j(wrong)
        assert PASSWORD not in str(refused.value)


@pytest.mark.slow
async def test_the_indexes_are_made_once(
    graph_settings: Settings, neo4j_database: Neo4jDatabase
) -> None:
    again = await open_neo4j(graph_settings)
    assert again is not None
    await again.prepare()
    await again.probe()
    await again.aclose()
