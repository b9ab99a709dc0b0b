"""Runs a query of a person or a model: translated, within bounds, where nothing can be written."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from neo4j import AsyncManagedTransaction
from neo4j.exceptions import ClientError, TransientError

from dataagent_core.config.limits.graph import GRAPH_QUERY_ROWS_MAX
from dataagent_core.config.limits.neo4j import NEO4J_QUERY_ANSWER_CHARS_MAX, NEO4J_QUERY_S
from dataagent_core.errors import QueryFailedError
from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase
from dataagent_core.memory.graph.neo4j.query.answer_rows import make_plain
from dataagent_core.memory.graph.neo4j.query.query_syntax import translate_query


async def run_query(
    database: Neo4jDatabase, scopes: Sequence[str], query: str, limit: int
) -> list[Mapping[str, object]]:
    """Return the first rows of a query."""
    translated = translate_query(query)
    rows_max = min(limit, GRAPH_QUERY_ROWS_MAX)
    parameters = {**translated.parameters, "scopes": list(scopes)}

    async def read(transaction: AsyncManagedTransaction) -> list[Mapping[str, object]]:
        rows: list[Mapping[str, object]] = []
        chars = 0
        try:
            result = await transaction.run(cast("Any", translated.text), parameters)
            async for record in result:
                if len(rows) == rows_max:
                    break
                row = {key: make_plain(value) for key, value in record.items()}
                chars += len(json.dumps(row, ensure_ascii=False))
                if chars > NEO4J_QUERY_ANSWER_CHARS_MAX:
                    raise QueryFailedError(
                        f"The answer has more than {NEO4J_QUERY_ANSWER_CHARS_MAX:,} characters: "
                        "ask for properties instead of nodes, or for fewer rows."
                    )
                rows.append(row)
            await result.consume()
        except ClientError as error:
            raise _explain(error) from error
        except TransientError as error:
            if "OutOfMemory" not in (error.code or ""):
                raise
            raise QueryFailedError("The query takes more memory than Neo4j gives it.") from error
        return rows

    return await database.read(read, timeout_s=NEO4J_QUERY_S)


def _explain(error: ClientError) -> QueryFailedError:
    if "TransactionTimedOut" in (error.code or ""):
        return QueryFailedError(f"The query took longer than {NEO4J_QUERY_S:g} seconds.")
    # The lines after the first quote the query that we have made.
    said = (error.message or "").split("\n")[0].split(" (line ")[0]
    return QueryFailedError(f"Neo4j cannot answer the query: {said}", said=said)
