"""Checks that the key on the one side of a relation is unique, before a metric joins over it.

A duplicate key would silently count rows twice. A primary key proves uniqueness; otherwise one
query looks for duplicates, and its result is valid for a while, as long as the catalogue's
fingerprint stays the same.
"""

import time

from dataagent_core.config.limits.data import RELATION_PROVEN_S
from dataagent_core.errors import QueryFailedError, QueryRefusedError
from dataagent_core.tools.data.data_model import Catalogue
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.semantic.metric_query import MetricQuery
from dataagent_core.tools.data.semantic.semantic_model import Relation, SemanticModel

# Other engines do not enforce a primary key.
_ENFORCING = frozenset({"postgres", "mysql", "sqlite", "duckdb"})


async def check_relations(
    queries: QueryService, source: str, model: SemanticModel, query: MetricQuery
) -> None:
    """Refuse a query that would count rows twice."""
    # The parser is large: it is imported on first use.
    from dataagent_core.tools.data.semantic.metric_sql import (
        build_duplicate_key_sql,
        list_query_relations,
    )

    relations = list_query_relations(model, query)
    if not relations:
        return
    opened = await queries.open_source(source)
    catalogue = await opened.catalogue.get()
    for relation in relations:
        dataset = model.dataset(relation.one)
        keys = sorted(relation.on.values())
        proof = (catalogue.fingerprint, dataset.table or dataset.name, *keys)
        proven_at = opened.proven.get(proof)
        if proven_at is not None and time.monotonic() - proven_at < RELATION_PROVEN_S:
            continue
        if not _is_primary(catalogue, dataset.table or dataset.name, keys):
            sql = build_duplicate_key_sql(model, relation, catalogue.dialect)
            await _check_no_duplicates(queries, source, relation, sql)
        opened.proven[proof] = time.monotonic()


async def _check_no_duplicates(
    queries: QueryService, source: str, relation: Relation, sql: str
) -> None:
    keys = ", ".join(f"{relation.one}.{name}" for name in relation.on.values())
    try:
        has_duplicates = await queries.has_row(source, sql)
    except QueryFailedError as error:
        raise QueryRefusedError(
            f"Whether {keys} is unique could not be looked at, so rows might be counted twice "
            f"({error}) Declare it a primary key, or ask with SQL instead."
        ) from error
    if has_duplicates:
        raise QueryRefusedError(
            f"{keys} is not unique, though the relation from {relation.many!r} to "
            f"{relation.one!r} says so: rows would be counted twice. Clean the table, correct the "
            "relation, or ask with SQL instead."
        )


def _is_primary(catalogue: Catalogue, name: str, keys: list[str]) -> bool:
    if catalogue.dialect not in _ENFORCING:
        return False
    matches = [table for table in catalogue.tables if name in (table.qualified, table.name)]
    if len(matches) != 1 or matches[0].is_view:
        return False
    primary = {column.name for column in matches[0].columns if column.primary}
    return bool(primary) and primary <= set(keys)
