"""A server's catalogue: what the login may read, with keys, comments and estimates of rows."""

from data_servers import Server

from dataagent_core.tools.data.data_model import Column, Table
from dataagent_core.tools.data.sources.engines.server_engine import ServerEngine


def _column(table: Table, name: str) -> Column:
    return next(column for column in table.columns if column.name == name)


async def test_tables_have_their_keys_comments_and_types(
    server: Server, engine: ServerEngine
) -> None:
    comment = server.kind == "mysql"
    server.admin(
        "CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR(50) NOT NULL)"
        + (" COMMENT 'people who buy'" if comment else ""),
        "CREATE TABLE orders (id INT, line INT, customer_id INT"
        + (" COMMENT 'who'" if comment else "")
        + ", total DECIMAL(10, 2), at TIMESTAMP NULL, PRIMARY KEY (id, line),"
        " FOREIGN KEY (customer_id) REFERENCES customers (id))",
        "CREATE VIEW totals AS SELECT customer_id, sum(total) AS total FROM orders GROUP BY 1",
        "INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bob')",
    )
    if not comment:
        server.admin(
            "COMMENT ON TABLE customers IS 'people who buy'",
            "COMMENT ON COLUMN orders.customer_id IS 'who'",
            "ANALYZE",
        )
    catalogue = await engine.catalogue()
    assert [table.name for table in catalogue.tables] == ["customers", "orders", "totals"]
    customers, orders, totals = catalogue.tables
    assert customers.comment == "people who buy"
    assert customers.rows == 2
    assert not customers.rows_exact
    assert customers.schema == catalogue.default_schema
    assert _column(customers, "id").primary
    assert not _column(customers, "name").nullable
    assert [column.name for column in orders.columns if column.primary] == ["id", "line"]
    assert _column(orders, "customer_id").references == "customers.id"
    assert _column(orders, "customer_id").comment == "who"
    assert [column.kind for column in orders.columns] == [
        "integer",
        "integer",
        "integer",
        "decimal",
        "timestamp",
    ]
    assert totals.is_view
    assert totals.rows is None


async def test_the_fingerprint_changes_with_the_schema_and_not_with_the_rows(
    server: Server, engine: ServerEngine
) -> None:
    server.admin("CREATE TABLE t (i INT)")
    first = await engine.fingerprint()
    server.admin("INSERT INTO t VALUES (1)")
    assert await engine.fingerprint() == first
    seen = {first}
    for change in (
        "ALTER TABLE t ADD COLUMN name VARCHAR(10)",
        "ALTER TABLE t ADD PRIMARY KEY (i)",
        "CREATE VIEW v AS SELECT i FROM t",
    ):
        server.admin(change)
        seen.add(await engine.fingerprint())
    assert len(seen) == 4


async def test_postgresql_shows_partitions_as_one_table_and_views_that_hold_rows(
    postgres: Server,
) -> None:
    postgres.admin(
        "CREATE TABLE events (day DATE, n INT) PARTITION BY RANGE (day)",
        "CREATE TABLE e1 PARTITION OF events FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')",
        "CREATE TABLE e2 PARTITION OF events FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')",
        "INSERT INTO events SELECT '2024-05-01'::date + i, i FROM generate_series(1, 400) AS i",
        "CREATE MATERIALIZED VIEW kept AS SELECT sum(n) AS n FROM events",
        "ANALYZE",
    )
    engine = postgres.engine()
    catalogue = await engine.catalogue()
    await engine.aclose()
    assert [(t.name, t.rows, t.is_view) for t in catalogue.tables] == [
        ("events", 400, False),
        ("kept", 1, True),
    ]


async def test_postgresql_shows_only_what_the_login_may_read(postgres: Server) -> None:
    postgres.admin(
        "CREATE TABLE open_ (i INT)",
        "CREATE TABLE partly (seen INT, unseen INT)",
        "CREATE TABLE closed (i INT)",
        f"REVOKE SELECT ON closed, partly FROM {postgres.user}",
        f"GRANT SELECT (seen) ON partly TO {postgres.user}",
        "CREATE SCHEMA other",
        "CREATE TABLE other.far (i INT)",
        f"GRANT SELECT ON other.far TO {postgres.user}",
        "CREATE SCHEMA shown",
        f"GRANT USAGE ON SCHEMA shown TO {postgres.user}",
        "CREATE TABLE shown.near (i INT PRIMARY KEY)",
        f"GRANT SELECT ON shown.near TO {postgres.user}",
    )
    engine = postgres.engine()
    catalogue = await engine.catalogue()
    await engine.aclose()
    assert {t.qualified: [c.name for c in t.columns] for t in catalogue.tables} == {
        "public.open_": ["i"],
        "public.partly": ["seen"],
        "shown.near": ["i"],
    }


async def test_mysql_shows_only_what_the_login_may_read(mysql: Server) -> None:
    other = Server("mysql", mysql.service)
    other.admin("CREATE TABLE elsewhere (i INT)")
    mysql.admin("CREATE TABLE here (i INT)", "CREATE TABLE partly (seen INT, unseen INT)")
    mysql.admin(
        f"REVOKE SELECT, SHOW VIEW ON `{mysql.database}`.* FROM {mysql.user}@'%'",
        f"GRANT SELECT ON here TO {mysql.user}@'%'",
        f"GRANT SELECT (seen) ON partly TO {mysql.user}@'%'",
        f"GRANT SELECT ON `{other.database}`.* TO {mysql.user}@'%'",
    )
    named = mysql.engine()
    everything = mysql.engine(mysql.url().removesuffix(mysql.database))
    seen = {t.name: [c.name for c in t.columns] for t in (await named.catalogue()).tables}
    assert seen == {"here": ["i"], "partly": ["seen"]}
    qualified = {t.qualified for t in (await everything.catalogue()).tables}
    assert f"{other.database}.elsewhere" in qualified
    assert not [name for name in qualified if name.startswith(("mysql.", "information_schema."))]
    await named.aclose()
    await everything.aclose()
    other.drop()


async def test_more_than_a_thousand_tables_are_read(server: Server, engine: ServerEngine) -> None:
    columns = ", ".join(f"a_rather_long_name_of_a_column_{n} INT" for n in range(30))
    kept = "" if server.kind == "postgres" else " ENGINE=MEMORY"  # made in a tenth of the time
    server.admin(*(f"CREATE TABLE t{n} ({columns}){kept}" for n in range(1_200)))
    catalogue = await engine.catalogue()
    assert len(catalogue.tables) == 1_200
    assert all(len(table.columns) == 30 for table in catalogue.tables)
