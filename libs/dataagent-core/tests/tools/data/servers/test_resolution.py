"""An allowed name means the server's own function, never one that somebody made in the database."""

from pathlib import Path

import pytest
from data_servers import Server, asked

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.data_model import Catalogue, Column, Table
from dataagent_core.tools.data.guard import check
from dataagent_core.tools.data.guard.allowed.functions_by_dialect import FUNCTIONS
from dataagent_core.tools.data.worker_programs.server_worker.called_names import (
    list_called_functions,
    list_named_types,
)

_COLUMNS = {"v": "varchar", "i": "int", "m": "mood", "r": "moods"}
CATALOGUE = Catalogue(
    dialect="postgres",
    tables=(
        Table(
            name="t",
            schema="public",
            columns=tuple(Column(name=n, type=t, kind="text") for n, t in _COLUMNS.items()),
        ),
    ),
    fingerprint="1",
    default_schema="public",
)

# How something is planted ({run} leaves a file on the server's machine), and the query that met it.
PLANTED = {
    "a cast of what a range goes to": (
        (
            "CREATE TYPE moods AS RANGE (subtype = mood); ALTER TABLE t ADD r moods; "
            "UPDATE t SET r = moods('good', 'good', '[]'); "
            "CREATE FUNCTION public.say(mood) RETURNS text LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'; CREATE CAST (mood AS text) WITH FUNCTION public.say(mood) "
            "AS IMPLICIT; ALTER TABLE t DROP m"
        ),
        "select cast(lower(r) as text) from t",
    ),
    "a cast of a word that only the query names": (
        (
            "CREATE TYPE public.variant AS ENUM ('a'); "
            "CREATE FUNCTION public.say(variant) RETURNS text LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'; CREATE CAST (variant AS text) "
            "WITH FUNCTION public.say(variant) AS IMPLICIT"
        ),
        "select cast(cast('a' as variant) as text)",
    ),
    "a cast of an array of words that only the query names": (
        (
            "CREATE TYPE public.variant AS ENUM ('a'); "
            "CREATE FUNCTION public.say(variant) RETURNS json LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'; CREATE CAST (variant AS json) "
            "WITH FUNCTION public.say(variant)"
        ),
        "select to_json(cast('{a}' as variant[]))",
    ),
    "a cast from an array of words that only the query names": (
        (
            "CREATE TYPE public.variant AS ENUM ('a'); "
            "CREATE FUNCTION public.say(variant[]) RETURNS text LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'; CREATE CAST (variant[] AS text) "
            "WITH FUNCTION public.say(variant[])"
        ),
        "select cast(cast('{a}' as variant[]) as text)",
    ),
    "a cast from an array of what a column holds": (
        (
            "CREATE FUNCTION public.say(mood[]) RETURNS text LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'; CREATE CAST (mood[] AS text) "
            "WITH FUNCTION public.say(mood[])"
        ),
        "select cast(array_agg(m) as text) from t",
    ),
    "a cast of a word that JSON gives": (
        (
            "CREATE TYPE public.variant AS ENUM ('a'); "
            "CREATE FUNCTION public.say(variant) RETURNS text LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'; CREATE CAST (variant AS text) "
            "WITH FUNCTION public.say(variant) AS IMPLICIT"
        ),
        """select upper(x.a) from json_to_record('{"a": "a"}') as x(a variant)""",
    ),
    "a name in quotes": (
        (
            "CREATE FUNCTION public.similarity(text, text) RETURNS real LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'"
        ),
        "select \"similarity\"('a', 'b')",
    ),
    "a name in quotes and other letters": (
        (
            'CREATE FUNCTION public."Similarity"(text, text) RETURNS real LANGUAGE plpgsql IMMUTABLE AS '
            "'BEGIN {run}; RETURN 1; END'"
        ),
        "select \"Similarity\"('a', 'b')",
    ),
    "an operator's negator": (
        (
            "CREATE FUNCTION public.differs(int, int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN true; END'; "
            "CREATE OPERATOR public.&& (leftarg = int, rightarg = int, "
            "function = pg_catalog.int4eq, negator = OPERATOR(public.!&&)); "
            "CREATE OPERATOR public.!&& (leftarg = int, rightarg = int, "
            "function = public.differs, negator = OPERATOR(public.&&))"
        ),
        "select v from t where not (i && i)",
    ),
    "the only one of its name": (
        (
            "CREATE FUNCTION public.similarity(text, text) RETURNS real LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'"
        ),
        "select similarity('a', 'b')",
    ),
    "a better fit than the built-in": (
        (
            "CREATE FUNCTION public.upper(varchar) RETURNS text LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'"
        ),
        "select upper(v) from t",
    ),
    "on another schema of the search path": (
        (
            "CREATE SCHEMA extra; CREATE FUNCTION extra.levenshtein(text, text) RETURNS int "
            "LANGUAGE plpgsql IMMUTABLE AS 'BEGIN {run}; RETURN 1; END'; "
            "ALTER ROLE postgres IN DATABASE {database} SET search_path = public, extra, pg_catalog"
        ),
        "select levenshtein('a', 'b')",
    ),
    "an aggregate": (
        (
            "CREATE FUNCTION public.step(text, text) RETURNS text LANGUAGE plpgsql AS "
            "'BEGIN {run}; RETURN 1; END'; "
            "CREATE AGGREGATE public.range_agg(text) (sfunc = public.step, stype = text)"
        ),
        "select range_agg(v) from t",
    ),
    "an operator": (
        (
            "CREATE FUNCTION public.plus(varchar, int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'; CREATE OPERATOR public.+ "
            "(leftarg = varchar, rightarg = int, function = public.plus)"
        ),
        "select v + 1 from t",
    ),
    "an operator behind LIKE": (
        (
            "CREATE FUNCTION public.matches(varchar, varchar) RETURNS bool LANGUAGE plpgsql IMMUTABLE "
            "AS 'BEGIN {run}; RETURN true; END'; CREATE OPERATOR public.~~ "
            "(leftarg = varchar, rightarg = varchar, function = public.matches)"
        ),
        "select v from t where v like v",
    ),
    "a cast of a column's type": (
        (
            "CREATE FUNCTION public.say(mood) RETURNS text LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'; CREATE CAST (mood AS text) WITH FUNCTION public.say(mood) "
            "AS IMPLICIT"
        ),
        "select cast(m as text) from t",
    ),
    "a cast of a whole row": (
        (
            "CREATE FUNCTION public.say(t) RETURNS text LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'; CREATE CAST (t AS text) WITH FUNCTION public.say(t)"
        ),
        "select cast(t as text) from t",
    ),
    "a cast of what a row holds, to JSON": (
        (
            "CREATE FUNCTION public.say(mood) RETURNS json LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'; CREATE CAST (mood AS json) WITH FUNCTION public.say(mood); "
            "CREATE TYPE pair AS (m mood); ALTER TABLE t ALTER m TYPE pair USING ROW(m)"
        ),
        "select row_to_json(t) from t",
    ),
    "a type whose check runs a function": (
        (
            "CREATE FUNCTION public.fits(text) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN true; END'; CREATE DOMAIN public.variant AS text "
            "CHECK (public.fits(VALUE))"
        ),
        "select cast('a' as variant)",
    ),
    "a type behind two colons": (
        (
            "CREATE FUNCTION public.fits(text) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN true; END'; CREATE DOMAIN public.variant AS text "
            "CHECK (public.fits(VALUE))"
        ),
        "select 'a'::variant",
    ),
    "a type before a text": (
        (
            "CREATE FUNCTION public.fits(text) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN true; END'; CREATE DOMAIN public.variant AS text "
            "CHECK (public.fits(VALUE))"
        ),
        "select variant 'a'",
    ),
    "a type of a column that a function gives": (
        (
            "CREATE FUNCTION public.fits(text) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN true; END'; CREATE DOMAIN public.geometry AS text "
            "CHECK (public.fits(VALUE))"
        ),
        """select * from json_to_record('{"a": "b"}') as x(a geometry)""",
    ),
    "a function that its owner put into an extension": (
        (
            "CREATE EXTENSION vector; CREATE ROLE {role}; ALTER ROLE {role} NOSUPERUSER; "
            "CREATE FUNCTION public.unaccent(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS "
            "'BEGIN {run}; RETURN 1; END'; ALTER FUNCTION public.unaccent(text) OWNER TO {role}; "
            "ALTER EXTENSION vector ADD FUNCTION public.unaccent(text)"
        ),
        "select unaccent('a')",
    ),
}


def plant(server: Server, statements: str, canary: Path) -> None:
    run = f"COPY (SELECT 1) TO PROGRAM ''touch {canary}''"
    role = f"{server.user}_owner"
    filled = statements.format(run=run, database=server.database, role=role)
    server.admin(
        "CREATE TYPE mood AS ENUM ('good')",
        "CREATE TABLE t (v varchar, i int, m mood)",
        "INSERT INTO t VALUES ('a', 1, 'good')",
        filled,
    )


# The planner computes what is constant: a plan is asked for with the same care.
WAYS = [*((planted, "query") for planted in PLANTED), ("the only one of its name", "estimate")]


@pytest.mark.parametrize(("planted", "way"), WAYS)
async def test_what_was_planted_in_postgresql_runs_for_nobody(
    postgres: Server, tmp_path: Path, planted: str, way: str
) -> None:
    statements, written = PLANTED[planted]
    canary = tmp_path / "canary"
    tmp_path.chmod(0o777)
    plant(postgres, statements, canary)
    sql = check(written, CATALOGUE).sql
    engine = postgres.engine(postgres.admin_url)
    try:
        run = asked(engine, sql, tmp_path) if way == "query" else engine.estimate(sql)
        with pytest.raises(QueryFailedError, match="somebody made in this database"):
            await run
    finally:
        await engine.aclose()
        postgres.admin("DROP TABLE t CASCADE")
        if "{role}" in statements:
            postgres.admin(
                f"DROP EXTENSION IF EXISTS vector CASCADE; DROP ROLE {postgres.user}_owner"
            )
    assert not canary.exists()


async def test_an_extensions_functions_operators_and_types_and_ranges_work_as_before(
    postgres: Server, tmp_path: Path
) -> None:
    postgres.admin(
        "CREATE EXTENSION vector",
        "CREATE TYPE spans AS RANGE (subtype = float8)",
        "CREATE TABLE places (at vector(2), span spans)",
        "INSERT INTO places VALUES ('[3,4]', '[1,2]')",
        "CREATE FUNCTION public.my_own(text) RETURNS text LANGUAGE sql AS 'SELECT $1'",
    )
    engine = postgres.engine(postgres.admin_url)
    sql = """SELECT SUM("at" <-> '[0,0]') AS "n" FROM "public"."places" WHERE "at" = '[3,4]'"""
    _, rows = await asked(engine, sql, tmp_path)
    await engine.aclose()
    assert rows == [{"n": 5.0}]


async def test_a_stored_function_of_mysql_runs_for_nobody(mysql: Server, tmp_path: Path) -> None:
    mysql.admin(
        "CREATE TABLE t (v VARCHAR(10))",
        "INSERT INTO t VALUES ('a')",
        "CREATE TABLE secret (v VARCHAR(10))",
        "INSERT INTO secret VALUES ('hidden')",
        "CREATE FUNCTION strpos(a TEXT, b TEXT) RETURNS TEXT READS SQL DATA "
        "RETURN (SELECT v FROM secret)",
    )
    engine = mysql.engine(mysql.admin_url)
    sql = f"SELECT STRPOS(`v`, 'a') AS `x` FROM `{mysql.database}`.`t`"
    try:
        with pytest.raises(QueryFailedError, match="somebody made in this database"):
            await asked(engine, sql, tmp_path)
        with pytest.raises(QueryFailedError, match="somebody made in this database"):
            await engine.estimate(sql)
        _, rows = await asked(engine, sql.replace("STRPOS(`v`, 'a')", "UPPER(`v`)"), tmp_path)
    finally:
        await engine.aclose()
    assert rows == [{"x": "A"}]


def test_every_function_that_may_be_called_is_found_in_what_runs() -> None:
    for name in sorted(FUNCTIONS["postgres"]):
        assert name in list_called_functions(f"SELECT {name.upper()} ('\\', 1), '{name}('")


@pytest.mark.parametrize(
    "written",
    ['"similarity"(', '"Similarity" (', "`SIMILARITY`(", "similarity\n(", '"a", similarity('],
)
def test_a_function_is_found_however_it_is_quoted(written: str) -> None:
    assert "similarity" in list_called_functions(f"SELECT {written}'a', 'b')")


def test_a_name_in_quotes_is_looked_for_in_its_own_letters() -> None:
    # Python and the guard take the Kelvin sign for a K, PostgreSQL does not.
    assert "ran\N{KELVIN SIGN}" in list_called_functions('SELECT "ran\N{KELVIN SIGN}"("v")')
    assert "Similarity" in list_called_functions("SELECT \"Similarity\"('a', 'b')")


def test_a_type_is_found_wherever_postgresql_takes_one() -> None:
    for written in (
        "'a'::variant",
        "CAST('a' AS variant)",
        "variant 'a'",
        "f('a' RETURNING variant)",
    ):
        assert "variant" in list_named_types(f"SELECT {written}")
