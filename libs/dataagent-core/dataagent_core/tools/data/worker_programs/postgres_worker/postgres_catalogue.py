"""Reads PostgreSQL's catalogue in four queries.

It has only what the login may read, without the server's own schemas and the tables of extensions;
the partitions of a table are part of it.
"""

from typing import Any

from psycopg.rows import dict_row

from ..server_worker.sql_catalogue import CataloguePages, build_catalogue
from .postgres_connection import Connection
from .postgres_types import classify_postgres_type

_SHOWN = """
shown AS (
  SELECT c.oid, c.relname, n.nspname, c.relkind, c.reltuples,
         has_table_privilege(c.oid, 'SELECT') AS whole
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND has_schema_privilege(n.oid, 'USAGE')
    AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT'))
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
                    AND d.objid = c.oid AND d.deptype = 'e'))
"""
_RELATIONS = f"""
WITH {_SHOWN}
SELECT nspname AS schema, relname AS name, relkind IN ('v', 'm') AS is_view,
       coalesce(obj_description(oid, 'pg_class'), '') AS comment,
       CASE WHEN relkind = 'p' THEN
              (SELECT sum(leaf.reltuples)::bigint FROM pg_partition_tree(shown.oid) t
               JOIN pg_class leaf ON leaf.oid = t.relid WHERE t.isleaf AND leaf.reltuples >= 0)
            WHEN relkind IN ('r', 'm') AND reltuples >= 0 THEN reltuples::bigint
       END AS rows
FROM shown ORDER BY nspname, relname
"""
_COLUMNS = f"""
WITH {_SHOWN}
SELECT s.nspname AS schema, s.relname AS table, a.attname AS name,
       format_type(a.atttypid, a.atttypmod) AS type, base.typname, base.typcategory::text,
       NOT a.attnotnull AS nullable, coalesce(col_description(s.oid, a.attnum), '') AS comment
FROM shown s JOIN pg_attribute a ON a.attrelid = s.oid
JOIN pg_type t ON t.oid = a.atttypid
JOIN pg_type base ON base.oid = coalesce(nullif(t.typbasetype, 0), t.oid)
WHERE a.attnum > 0 AND NOT a.attisdropped
  AND (s.whole OR has_column_privilege(s.oid, a.attnum, 'SELECT'))
ORDER BY s.nspname, s.relname, a.attnum
"""
_KEYS = """
SELECT k.contype::text, n.nspname, c.relname, a.attname, fn.nspname, fc.relname, fa.attname
FROM pg_constraint k
JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL unnest(k.conkey, coalesce(k.confkey, k.conkey)) AS pair (own, other)
JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = pair.own
LEFT JOIN pg_class fc ON fc.oid = k.confrelid LEFT JOIN pg_namespace fn ON fn.oid = fc.relnamespace
LEFT JOIN pg_attribute fa ON fa.attrelid = k.confrelid AND fa.attnum = pair.other
WHERE k.contype IN ('p', 'f') AND k.conparentid = 0
  AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""
# Everything in a catalogue except the row counts, which change all the time.
_FINGERPRINT = f"""
WITH {_SHOWN}
SELECT md5(concat_ws('/',
  (SELECT count(*) || ':' || coalesce(sum(hashtextextended(concat_ws('/', oid, nspname, relname,
          relkind, whole), 0)), 0) FROM shown),
  (SELECT count(*) || ':' || coalesce(sum(hashtextextended(concat_ws('/', a.attrelid, a.attnum,
          a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attacl), 0)), 0)
   FROM pg_attribute a JOIN shown s ON s.oid = a.attrelid
   WHERE a.attnum > 0 AND NOT a.attisdropped),
  (SELECT count(*) || ':' || coalesce(sum(hashtextextended(concat_ws('/', d.objoid, d.objsubid,
          d.description), 0)), 0)
   FROM pg_description d JOIN shown s ON s.oid = d.objoid AND d.classoid = 'pg_class'::regclass),
  (SELECT count(*) || ':' || coalesce(sum(hashtextextended(k.oid::text, 0)), 0)
   FROM pg_constraint k JOIN shown s ON s.oid = k.conrelid WHERE k.contype IN ('p', 'f')),
  current_user, current_schema()))
"""


def read_catalogue(connection: Connection, columns_max: int) -> CataloguePages:
    """Read the tables, their columns and keys."""
    with connection.cursor(row_factory=dict_row) as cursor:
        relations = cursor.execute(_RELATIONS).fetchall()
        columns = [_describe_column(row) for row in cursor.execute(_COLUMNS).fetchall()]
    keys = connection.execute(_KEYS).fetchall()
    pages = build_catalogue(
        relations,
        columns,
        (((row[1], row[2]), row[3]) for row in keys if row[0] == "p"),
        (((row[1], row[2]), row[3], _format_target(row)) for row in keys if row[0] == "f"),
        columns_max,
    )
    found = connection.execute("SELECT current_schema()").fetchone()
    pages.default_schema = (found[0] if found else None) or ""
    return pages


def read_fingerprint(connection: Connection) -> str:
    """Return a text that changes with the catalogue."""
    found = connection.execute(_FINGERPRINT).fetchone()
    assert found is not None
    return found[0]


def _describe_column(row: dict[str, Any]) -> dict[str, Any]:
    row["kind"] = classify_postgres_type(row.pop("typname"), row.pop("typcategory"))
    return row


def _format_target(row: tuple[Any, ...]) -> str:
    _, schema, _, _, other_schema, other_table, other_column = row
    prefix = "" if schema == other_schema else f"{other_schema}."
    return f"{prefix}{other_table}.{other_column}"
