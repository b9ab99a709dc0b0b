"""Keeps a query on PostgreSQL from calling functions that users defined in the database.

An allowed name may resolve to another function: one of a schema on the search path that fits the
arguments better or is the only one of its name. The same holds for operators, for types, whose
checks run functions, and for casts, which are found by their types. Objects of an extension are
trusted if a superuser owns them: an extension's owner may add functions to it.

The check must run before EXPLAIN too: the planner computes constant expressions.
"""

from ..server_worker.called_names import (
    list_called_functions,
    list_named_types,
    list_qualified_names,
    list_used_operators,
    refuse_foreign_names,
)
from .postgres_connection import Connection

# Everything on the search path that has one of the names and is not trusted is foreign.
_FOREIGN = """
WITH trusted AS (
  SELECT p.oid FROM pg_catalog.pg_proc p
  WHERE p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
  UNION ALL
  SELECT d.objid FROM pg_catalog.pg_depend d
    JOIN pg_catalog.pg_proc p ON p.oid = d.objid
    JOIN pg_catalog.pg_roles r ON r.oid = p.proowner AND r.rolsuper
  WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.deptype = 'e'
  UNION ALL
  -- What the server itself makes for a type of ranges.
  SELECT d.objid FROM pg_catalog.pg_depend d
  WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.deptype = 'i'
    AND d.refclassid = 'pg_catalog.pg_type'::pg_catalog.regclass
),
path AS (
  SELECT n.oid, n.nspname FROM pg_catalog.pg_namespace n
  WHERE n.nspname = ANY (pg_catalog.current_schemas(true))
)
SELECT format('the function %%I.%%I', path.nspname, p.proname)
FROM pg_catalog.pg_proc p JOIN path ON path.oid = p.pronamespace
WHERE p.proname = ANY (%(functions)s) AND p.oid NOT IN (SELECT oid FROM trusted)
UNION ALL
SELECT format('the operator %%s of %%I', o.oprname, path.nspname)
FROM pg_catalog.pg_operator o JOIN path ON path.oid = o.oprnamespace
WHERE o.oprname = ANY (%(operators)s) AND o.oprcode <> 0
  AND (o.oprcode NOT IN (SELECT oid FROM trusted)
    -- The planner may put another operator in its place, which its owner named.
    OR o.oprnamespace <> 'pg_catalog'::pg_catalog.regnamespace AND NOT EXISTS (
      SELECT FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_roles r
        ON r.oid = o.oprowner AND r.rolsuper
      WHERE d.classid = 'pg_catalog.pg_operator'::pg_catalog.regclass AND d.objid = o.oid
        AND d.deptype = 'e'))
UNION ALL
SELECT format('the cast from %%s to %%s', c.castsource::pg_catalog.regtype,
              c.casttarget::pg_catalog.regtype)
FROM pg_catalog.pg_cast c
  JOIN pg_catalog.pg_type s ON s.oid = c.castsource
  -- A query makes an array of whatever it meets: a cast from one counts as from what is in it.
  CROSS JOIN LATERAL (SELECT CASE s.typcategory WHEN 'A' THEN s.typelem ELSE s.oid END) f(source)
WHERE c.castfunc <> 0 AND c.castfunc NOT IN (SELECT oid FROM trusted)
  AND (f.source < 16384 OR EXISTS (
    -- A list of words may be named by the query alone.
    SELECT FROM pg_catalog.pg_type y JOIN path ON path.oid = y.typnamespace
    WHERE y.oid = f.source AND y.typname = ANY (%(types)s)
  ) OR EXISTS (
    SELECT FROM pg_catalog.pg_attribute a
      JOIN pg_catalog.pg_class r ON r.oid = a.attrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
      JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
    WHERE (n.nspname::text, r.relname::text) IN
      (SELECT * FROM unnest(%(schemas)s::text[], %(tables)s::text[]))
      AND (f.source IN (a.atttypid, r.reltype)
        -- What is inside is not followed: any cast may be met there.
        OR y.oid >= 16384 AND (y.typtype IN ('c', 'd', 'm', 'r') OR y.typelem <> 0))))
UNION ALL
SELECT format('the type %%I.%%I', path.nspname, y.typname)
FROM pg_catalog.pg_type y JOIN path ON path.oid = y.typnamespace
WHERE y.typname = ANY (%(types)s) AND y.typnamespace <> 'pg_catalog'::pg_catalog.regnamespace
  -- A list of words is read by the database's own function.
  AND y.typtype <> 'e'
  AND y.typname NOT IN (SELECT k.word FROM pg_catalog.pg_get_keywords() k WHERE k.catcode = 'R')
  AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_roles r
      ON r.oid = y.typowner AND r.rolsuper
    WHERE d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND d.objid = y.oid
      AND d.deptype = 'e')
LIMIT 10
"""


def check_resolution(connection: Connection, sql: str) -> None:
    """Refuse a query that would call a foreign object."""
    pairs = list_qualified_names(sql)
    names = {
        "functions": list_called_functions(sql),
        "operators": list_used_operators(sql),
        "types": list_named_types(sql),
        "schemas": [schema for schema, _ in pairs],
        "tables": [table for _, table in pairs],
    }
    refuse_foreign_names(row[0] for row in connection.execute(_FOREIGN, names).fetchall())
