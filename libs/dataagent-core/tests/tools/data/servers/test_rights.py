"""A login that may do more than read is said so, loudly; one that may only read is not."""

from data_servers import Server

from dataagent_core.tools.data.sources.engines.server_engine import ServerEngine
from dataagent_core.tools.data.worker_programs.mysql_worker.mysql_rights import (
    ExtraGrant,
    find_extra_grants,
    list_roles,
)


async def _warnings(server: Server, url: str | None = None) -> str:
    engine = server.engine(url)
    found = await engine.warnings()
    await engine.aclose()
    return "\n".join(found)


async def test_a_login_that_may_only_read_is_not_warned_about(
    server: Server, engine: ServerEngine
) -> None:
    server.admin("CREATE TABLE t (i INT)")
    assert await engine.warnings() == ()


async def test_a_superuser_is_a_danger_and_the_way_out_is_sql(server: Server) -> None:
    text = await _warnings(server, server.admin_url)
    assert text.startswith("DANGER")
    assert "dataagent_reader" in text
    assert "GRANT" in text


async def test_the_sql_of_the_way_out_makes_a_login_without_warnings(server: Server) -> None:
    server.admin("CREATE TABLE t (i INT)")
    way_out = (await _warnings(server, server.admin_url)).split("As an administrator: ")[1]
    server.admin(*(part for part in way_out.replace("'...'", "'pw'").split(";") if part.strip()))
    try:
        assert await _warnings(server, server.url("dataagent_reader", "pw")) == ""
    finally:
        if server.kind == "postgres":
            server.admin("DROP OWNED BY dataagent_reader", "DROP ROLE dataagent_reader")
        else:
            server.admin("DROP USER dataagent_reader@'%'")


async def test_rights_to_write_are_named_with_their_tables(server: Server) -> None:
    to = server.user if server.kind == "postgres" else f"{server.user}@'%'"
    server.admin("CREATE TABLE t (i INT)", f"GRANT UPDATE ON t TO {to}")
    text = await _warnings(server)
    assert text.startswith("WARNING")
    assert ".t" in text


async def test_postgresql_roles_that_could_be_put_on_count(postgres: Server) -> None:
    writer = f"{postgres.user}_writer"
    postgres.admin(
        "CREATE TABLE t (i INT)",
        f"CREATE ROLE {writer} NOINHERIT",
        f"GRANT DELETE ON t TO {writer}",
        f"ALTER ROLE {postgres.user} NOINHERIT",
        f"GRANT {writer} TO {postgres.user}",
        f"GRANT pg_read_server_files TO {postgres.user}",
        f"GRANT CREATE ON SCHEMA public TO {postgres.user}",
    )
    text = await _warnings(postgres)
    postgres.admin(f"DROP OWNED BY {writer}", f"DROP ROLE {writer}")
    assert "pg_read_server_files" in text
    assert "may change rows of public.t" in text
    assert "schema public" in text


async def test_postgresql_owners_are_named(postgres: Server) -> None:
    postgres.admin("CREATE TABLE mine (i INT)", f"ALTER TABLE mine OWNER TO {postgres.user}")
    assert "owns public.mine" in await _warnings(postgres)


async def test_mysql_roles_and_file_count(mysql: Server) -> None:
    role = f"{mysql.user}_role"
    mysql.admin(
        f"CREATE ROLE {role}",
        f"GRANT INSERT ON `{mysql.database}`.* TO {role}",
        f"GRANT {role} TO {mysql.user}@'%'",
        f"GRANT FILE ON *.* TO {mysql.user}@'%'",
    )
    text = await _warnings(mysql)
    mysql.admin(f"DROP ROLE {role}")
    assert "FILE on *.*" in text
    assert f"INSERT on {mysql.database}.*" in text
    assert "PASSWORD" not in text


def test_grants_of_both_servers_are_read() -> None:
    lines = [
        "GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD '*2470C0C06DEE42FD1618'",
        "GRANT SELECT, SHOW VIEW ON `shop`.* TO `a`@`%`",
        "GRANT SELECT (`id`, `name`), UPDATE (`name`) ON `shop`.`t` TO `a`@`%`",
        "GRANT ALL PRIVILEGES ON `my``db`.* TO `a`@`%` WITH GRANT OPTION",
        "GRANT PROXY ON ''@'%' TO 'a'@'%' WITH GRANT OPTION",
        "GRANT `r`@`%`,`s`@`%` TO `a`@`%`",
        "GRANT `plain` TO `a`@`%`",
        "SET DEFAULT ROLE `plain` FOR `a`@`%`",
    ]
    found = find_extra_grants(lines)
    assert found == [
        ExtraGrant(("UPDATE",), "shop.t"),
        ExtraGrant(("ALL PRIVILEGES", "GRANT OPTION"), "mydb.*"),
    ]
    assert [beyond.dangerous for beyond in found] == [False, True]
    assert list_roles(lines) == [("r", "%"), ("s", "%"), ("plain", None)]
