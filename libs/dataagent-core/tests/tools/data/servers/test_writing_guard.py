"""Which changes may be tried, and that they run only as they were built anew."""

import pytest

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.data_model import Catalogue, Column, Dialect, Table
from dataagent_core.tools.data.sources.writes.write_guard import check_write


def _catalogue(dialect: Dialect, schema: str) -> Catalogue:
    def table(name: str, *columns: str, is_view: bool = False) -> Table:
        made = tuple(Column(name=each, type="int", kind="integer") for each in columns)
        return Table(schema=schema, name=name, columns=made, is_view=is_view)

    return Catalogue(
        dialect=dialect,
        fingerprint="x",
        default_schema=schema,
        tables=(
            table("t", "id", "a", "b"),
            table("Users", "id", "Name"),
            table("v", "id", is_view=True),
            table("secret", "id", "pay"),
        ),
    )


POSTGRES, MYSQL = _catalogue("postgres", "public"), _catalogue("mysql", "shop")


@pytest.mark.parametrize(
    ("sql", "built"),
    [
        (
            "update t set a = a + 1 where id = 3 -- a comment",
            'UPDATE "public"."t" SET "a" = "a" + 1 WHERE "id" = 3',
        ),
        (
            "UPDATE t AS x SET a = (SELECT max(u.id) FROM t u) WHERE x.id = 3",
            (
                'UPDATE "public"."t" AS "x" SET "a" = (SELECT MAX("u"."id") FROM "public"."t" AS "u") '
                'WHERE "x"."id" = 3'
            ),
        ),
        (
            "DELETE FROM public.t WHERE id IN (SELECT id FROM t WHERE a > 1);",
            'DELETE FROM "public"."t" WHERE "id" IN (SELECT "id" FROM "public"."t" WHERE "a" > 1)',
        ),
        (
            "INSERT INTO t (id, a) VALUES (1, lower('X')), (2, NULL)",
            """INSERT INTO "public"."t" ("id", "a") VALUES (1, LOWER('X')), (2, NULL)""",
        ),
        (
            "INSERT INTO t (id, a) SELECT id, a + 1 FROM t WHERE id > 3",
            (
                'INSERT INTO "public"."t" ("id", "a") SELECT "id", "a" + 1 FROM "public"."t" '
                'WHERE "id" > 3'
            ),
        ),
    ],
)
def test_a_change_is_built_anew_from_its_checked_pieces(sql: str, built: str) -> None:
    checked = check_write(sql, POSTGRES)
    assert checked.sql == built
    assert (checked.schema, checked.table) == ("public", "t")
    assert checked.verb == sql.split(maxsplit=1)[0].upper()


_REFUSED = [
    "DELETE FROM t",
    "DELETE FROM t WHERE 1 = 1",
    "DELETE FROM t WHERE TRUE",
    "UPDATE t SET a = 1",
    "UPDATE t SET a = 1 WHERE EXISTS (SELECT 1)",
    "UPDATE t SET a = 1 WHERE id = 1; DROP TABLE t",
    "UPDATE t SET a = 1 WHERE id = 1; DELETE FROM t WHERE id = 2",
    "DROP TABLE t",
    "TRUNCATE t",
    "ALTER TABLE t ADD COLUMN c INT",
    "CREATE TABLE u (i INT)",
    "GRANT ALL ON t TO PUBLIC",
    "SELECT 1",
    "COPY t FROM PROGRAM 'id'",
    "LOAD DATA INFILE '/etc/passwd' INTO TABLE t",
    "CALL f()",
    "DO $$ BEGIN END $$",
    "MERGE INTO t USING t AS u ON (1 = 1) WHEN MATCHED THEN DELETE",
    "REPLACE INTO t (id) VALUES (1)",
    "INSERT IGNORE INTO t (id) VALUES (1)",
    "INSERT INTO t (id) VALUES (1) ON CONFLICT DO NOTHING",
    "INSERT INTO t (id) VALUES (1) ON DUPLICATE KEY UPDATE a = 2",
    "INSERT INTO t (id) VALUES (1) RETURNING id",
    "INSERT INTO t VALUES (1, 2, 3)",
    "INSERT INTO t DEFAULT VALUES",
    "INSERT INTO t (id, a) VALUES (1)",
    "INSERT INTO t (id) VALUES (pg_read_file('/etc/passwd'))",
    "INSERT INTO t (id) VALUES (load_file('/etc/passwd'))",
    "INSERT INTO t (id) SELECT 1 INTO OUTFILE '/tmp/x'",
    "INSERT INTO t (id) SELECT id FROM pg_catalog.pg_class",
    "INSERT INTO t (id) SELECT id FROM mysql.user",
    "INSERT INTO t (id) WITH d AS (DELETE FROM t WHERE id = 1 RETURNING id) SELECT id FROM d",
    "WITH d AS (DELETE FROM t RETURNING id) DELETE FROM t WHERE id IN (SELECT id FROM d)",
    "UPDATE t SET a = pg_sleep(10) WHERE id = 1",
    "UPDATE t SET a = 1 WHERE id = (SELECT sleep(10))",
    "UPDATE t SET a = nextval('s') WHERE id = 1",
    "UPDATE t SET a = @x := 1 WHERE id = 1",
    "UPDATE t SET a = 1 WHERE id = 1 LIMIT 1",
    "UPDATE t SET a = 1 WHERE id = 1 ORDER BY id LIMIT 1",
    "UPDATE t SET a = u.id FROM Users AS u WHERE u.id = t.id",
    "UPDATE t JOIN Users AS u ON u.id = t.id SET t.a = 1 WHERE t.id = 1",
    "UPDATE t, Users SET t.a = 1 WHERE t.id = 1",
    "DELETE FROM t USING Users WHERE t.id = 1",
    "DELETE t FROM t JOIN Users ON 1 = 1 WHERE t.id = 1",
    "UPDATE t SET a = 1, a = 2 WHERE id = 1",
    "UPDATE t SET nope = 1 WHERE id = 1",
    "UPDATE t SET a = 1 WHERE nope = 1",
    "UPDATE nope SET a = 1 WHERE id = 1",
    "UPDATE v SET id = 1 WHERE id = 2",
    "UPDATE pg_catalog.pg_class SET relname = 'x' WHERE oid = 1",
    "UPDATE secret SET id = 1 WHERE id = 2",
    "UPDATE t SET a = (SELECT max(pay) FROM secret) WHERE id = 2",
    "UPDATE t SET a = 1 WHERE CURRENT OF c",
    "DELETE FROM (SELECT * FROM t) WHERE id = 1",
    "INSERT INTO FUNCTION file('x') VALUES (1)",
    "DELETE",
    "",
    "UPDATE t SET a = " + "(" * 3_000 + "1" + ")" * 3_000 + " WHERE id = 1",
]


@pytest.mark.parametrize("sql", _REFUSED)
@pytest.mark.parametrize("catalogue", [POSTGRES, MYSQL], ids=["postgres", "mysql"])
def test_anything_else_is_refused_in_a_sentence(catalogue: Catalogue, sql: str) -> None:
    with pytest.raises(QueryRefusedError) as refused:
        check_write(sql, catalogue, hidden=("secret.pay",))
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 400


def test_all_rows_are_reached_only_on_purpose() -> None:
    assert check_write("DELETE FROM t", MYSQL, all_rows=True).sql == "DELETE FROM `shop`.`t`"


def test_a_conditional_comment_of_mysql_is_not_carried_along() -> None:
    sql = "UPDATE t SET a = 1 /*!50000 , b = 2 */ WHERE id = 1"
    assert check_write(sql, MYSQL).sql == "UPDATE `shop`.`t` SET `a` = 1 WHERE `id` = 1"
