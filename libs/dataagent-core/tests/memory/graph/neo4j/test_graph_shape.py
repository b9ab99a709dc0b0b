"""What is in Neo4j: S2's labels, relations and properties, and nothing of a text that was forgotten."""

from typing import Any, cast

import pytest
from neo4j import AsyncManagedTransaction

from dataagent_core.ids import new_id
from dataagent_core.memory.graph.graph_values import Community
from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase
from dataagent_core.memory.graph.neo4j.neo4j_graph_store import Neo4jGraphStore
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.testing.conformance.graph import NOW, add_linked

pytestmark = pytest.mark.slow


async def read_all(database: Neo4jDatabase, tenant_id: str) -> list[dict[str, Any]]:
    """Read every node of a tenant with its relations, as Neo4j has them."""

    async def read(transaction: AsyncManagedTransaction) -> list[dict[str, Any]]:
        statement = (
            "MATCH (n {tenant_id: $tenant_id}) RETURN labels(n) AS labels, properties(n) AS values, "
            "[(n)-[r]->(m) | [type(r), labels(m), properties(r)]] AS relations"
        )
        result = await transaction.run(cast("Any", statement), {"tenant_id": tenant_id})
        return await result.data()

    return await database.read(read)


@pytest.mark.requirement("F22-4-neo4j")
@pytest.mark.requirement("S2-11.4-nodes")
@pytest.mark.requirement("S2-11.4-edges")
async def test_nodes_and_relations_have_the_names_and_properties_of_s2(
    neo4j_database: Neo4jDatabase,
) -> None:
    tenant_id = new_id()
    store = Neo4jGraphStore(neo4j_database, tenant_id)
    scope = MemoryScope.of_user(tenant_id, "ada", "assistant")
    await add_linked(store, 1, ["Ada", "Zuckerbrot"], [("Ada", "Zuckerbrot")], scope=scope)
    community = Community(
        id="c", scope=scope, name="Both", summary="Zuckerbrot", member_count=2, updated_at=NOW
    )
    await store.save_communities(scope, [(community, ["n-Ada", "n-Zuckerbrot"])])
    rows = await read_all(neo4j_database, tenant_id)
    properties = {row["labels"][0]: set(row["values"]) for row in rows}
    assert {"id", "content", "source", "created_at"} <= properties["Episodic"]
    assert {"id", "name", "type", "embedding", "attributes"} <= properties["Entity"]
    assert {"id", "name", "summary", "member_count"} <= properties["Community"]
    joined = {(row["labels"][0], one[0], one[1][0]) for row in rows for one in row["relations"]}
    assert joined == {
        ("Episodic", "MENTIONS", "Entity"),
        ("Entity", "RELATES_TO", "Entity"),
        ("Entity", "BELONGS_TO", "Community"),
    }
    (weight,) = [
        one[2]["weight"] for row in rows for one in row["relations"] if one[0] == "RELATES_TO"
    ]
    assert weight == 1.0
    assert "Zuckerbrot" in repr(rows)
    await store.remove_episodes([scope], ["e1"])
    assert await read_all(neo4j_database, tenant_id) == []
