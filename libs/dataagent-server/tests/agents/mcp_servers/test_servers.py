"""A tenant's MCP servers: encrypted, shown without secrets, nearest first, only what is allowed."""

from typing import Any

import pytest
from mcp_installation import MCPInstallation
from sqlalchemy import select

from dataagent_core.errors import (
    ConflictError,
    DeniedError,
    LimitReachedError,
    NotFoundError,
    StorageError,
    ValidationError,
)
from dataagent_server.agents.mcp_servers.mcp_server import ServerChanges, ServerScope
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.db.tables.mcp import mcp_servers
from dataagent_server.identity.audit import audit_rows
from dataagent_server.identity.auth.principal import operator

TENANT = ServerScope()
HTTP = ServerChanges(
    url="https://mcp.example/mcp?key=s3cret-q",
    headers={"Authorization": "Bearer s3cret-h"},
    oauth={"client_id": "id", "client_secret": "s3cret-o", "scopes": ["a"]},
)
STDIO = ServerChanges(command="python3", args=["mcp-server-time"], env={"TOKEN": "s3cret-e"})


async def stored(mcp: MCPInstallation) -> list[Any]:
    return list(
        await mcp.installation.database.read(lambda c: c.execute(select(mcp_servers)).all())
    )


@pytest.mark.every_database
@pytest.mark.requirement("F6-1")
async def test_secrets_are_stored_encrypted_and_come_back_as_stars(mcp: MCPInstallation):
    boss = await mcp.owner("acme", "python3")
    made = (await mcp.service.create(boss, "web", TENANT, HTTP)).shown
    assert made.headers == {"Authorization": "***"}
    assert made.url == "https://mcp.example/mcp?key=***"
    assert made.oauth is not None
    assert (made.oauth["client_id"], made.oauth["client_secret"]) == ("id", "***")
    assert (made.transport, made.scope, made.version) == ("http", "tenant", 1)
    program = (await mcp.service.create(boss, "time", TENANT, STDIO)).shown
    assert (program.env, program.args, program.timeout) == (
        {"TOKEN": "***"},
        ["mcp-server-time"],
        30,
    )
    seen = [one.shown for one in await mcp.service.list_visible(boss, None)]
    assert "s3cret" not in repr((await stored(mcp), seen))
    time, web = await mcp.service.configs_for(boss.tenant_id, boss.user_id, None)
    assert time.env == {"TOKEN": "s3cret-e"}
    assert web.headers == {"Authorization": "Bearer s3cret-h"}
    assert web.oauth is not None
    assert (web.url, web.oauth.client_secret) == (HTTP.url, "s3cret-o")
    assert "s3cret" not in repr((time.env and time, web.headers and web)).replace("s3cret-q", "")


@pytest.mark.every_database
async def test_a_ciphertext_does_not_open_for_another_tenant_person_or_name(mcp: MCPInstallation):
    acme = await mcp.owner("acme")
    evil = await mcp.owner("evil")
    await mcp.service.create(acme, "web", TENANT, HTTP)
    theirs = ServerChanges(url="https://evil.example/mcp", headers={"A": "b"})
    await mcp.service.create(evil, "web", TENANT, theirs)
    (stolen,) = await mcp.installation.database.read(
        lambda c: c.execute(
            select(mcp_servers.c.headers).where(mcp_servers.c.tenant_id == acme.tenant_id)
        ).scalars().all()
    )  # fmt: skip
    await mcp.installation.database.write(
        lambda c: c.execute(
            mcp_servers.update()
            .where(mcp_servers.c.tenant_id == evil.tenant_id)
            .values(headers=stolen)
        )
    )
    with pytest.raises(StorageError):
        await mcp.service.configs_for(evil.tenant_id, evil.user_id, None)


@pytest.mark.every_database
@pytest.mark.requirement("F6-1")
async def test_the_nearest_of_one_name_counts_person_then_project_then_tenant(
    mcp: MCPInstallation,
):
    boss = await mcp.owner("acme")
    ann = await mcp.installation.person(boss.tenant_id, "ann")
    project = (await mcp.installation.people.projects.create(boss, "Sales")).project_id
    for place, host in (
        (TENANT, "t"),
        (ServerScope(project_id=project), "p"),
        (ServerScope(ann.user_id), "u"),
    ):
        who = ann if place.user_id else boss
        wishes = ServerChanges(url=f"https://{host}.example/mcp")
        await mcp.service.create(who, "web", place, wishes)

    async def url(user_id: str, where: str | None) -> list[str]:
        found = await mcp.service.configs_for(boss.tenant_id, user_id, where)
        return [one.url for one in found]

    assert await url(ann.user_id, project) == ["https://u.example/mcp"]
    assert await url(boss.user_id, project) == ["https://p.example/mcp"]
    assert await url(boss.user_id, None) == ["https://t.example/mcp"]
    assert await mcp.service.find_scope(ann, "web", project) == ServerScope(ann.user_id)
    assert await mcp.service.find_scope(boss, "web", project) == ServerScope(project_id=project)


@pytest.mark.every_database
async def test_who_may_see_and_change_whose(mcp: MCPInstallation):
    boss, other = await mcp.owner("acme"), await mcp.owner("other")
    ann = await mcp.installation.person(boss.tenant_id, "ann")
    bob = await mcp.installation.person(boss.tenant_id, "bob")
    mine = (await mcp.installation.people.projects.create(ann, "Mine")).project_id
    anns, anns_project = ServerScope(ann.user_id), ServerScope(project_id=mine)
    for place in (anns, anns_project):
        await mcp.service.create(ann, "web", place, HTTP)
    await mcp.service.create(boss, "shared", TENANT, HTTP)
    again = ServerChanges(timeout=10)
    for refused in (
        mcp.service.create(ann, "more", TENANT, HTTP),
        mcp.service.change(ann, "shared", TENANT, again),
        mcp.service.create(bob, "more", anns_project, HTTP),
        mcp.service.get(bob, "web", anns),
        mcp.service.list_scope(bob, anns),
        mcp.service.delete(bob, "web", anns),
        # An admin looks after others' servers, but does not connect in their place.
        mcp.service.get_usable(boss, "web", anns),
    ):
        with pytest.raises(DeniedError):
            await refused
    assert (await mcp.service.get(bob, "web", anns_project)).shown.name == "web"
    assert (await mcp.service.change(boss, "web", anns, again)).shown.timeout == 10
    for missing in (
        mcp.service.get(other, "shared", TENANT),
        mcp.service.get(other, "web", anns),
        mcp.service.list_scope(other, anns),
        mcp.service.list_visible(other, mine),
        mcp.service.delete(other, "web", anns_project),
    ):
        with pytest.raises(NotFoundError):
            await missing
    assert await mcp.service.list_visible(other, None) == []


@pytest.mark.every_database
@pytest.mark.requirement("F6-1")
async def test_stars_keep_what_is_stored_and_mean_nothing_for_what_is_new(mcp: MCPInstallation):
    boss = await mcp.owner("acme", "python3")
    two = ServerChanges(command="python3", env={"A": "one", "B": "two"})
    await mcp.service.create(boss, "time", TENANT, two)
    changed = ServerChanges(args=["x"], env={"A": "***", "C": "three"})
    await mcp.service.change(boss, "time", ServerScope(), changed)
    (config,) = await mcp.service.configs_for(boss.tenant_id, boss.user_id, None)
    assert (config.env, config.args) == ({"A": "one", "C": "three"}, ["x"])
    with pytest.raises(ValidationError, match="'D' is '\\*\\*\\*'"):
        await mcp.service.change(boss, "time", TENANT, ServerChanges(env={"D": "***"}))
    with pytest.raises(ValidationError, match="none is stored"):
        await mcp.service.create(
            boss, "new", TENANT, ServerChanges(command="python3", env={"A": "***"})
        )
    kept = await mcp.service.change(boss, "time", TENANT, ServerChanges(disabled=True), version=2)
    assert (kept.config.env, kept.shown.version) == ({"A": "one", "C": "three"}, 3)
    # Said as a whole, and with everything else left to its default.
    whole = ServerChanges(command="python3", disabled=True, env="***").with_defaults()
    kept = await mcp.service.change(boss, "time", TENANT, whole)
    assert (kept.config.env, kept.config.args) == ({"A": "one", "C": "three"}, [])
    with pytest.raises(ValidationError, match="nothing is"):
        await mcp.service.change(boss, "time", TENANT, ServerChanges(headers="***"))
    with pytest.raises(ConflictError):
        await mcp.service.change(boss, "time", TENANT, ServerChanges(timeout=9), version=2)
    assert await mcp.service.configs_for(boss.tenant_id, boss.user_id, None) == []


@pytest.mark.parametrize(
    "moved",
    [
        ServerChanges(url="https://evil.example/mcp"),
        ServerChanges(url="https://evil.example/mcp", headers={"Authorization": "***"}),
        ServerChanges(url="https://evil.example/mcp?key=***", headers={}, oauth={}),
        ServerChanges(oauth={"token_endpoint": "https://evil.example/t", "client_secret": "***"}),
        ServerChanges(url="", command="python3"),
    ],
)
async def test_a_stored_secret_is_only_sent_where_it_was_entered_for(
    mcp: MCPInstallation, moved: ServerChanges
):
    boss = await mcp.owner("acme", "python3")
    made = await mcp.service.create(boss, "web", TENANT, HTTP)
    with pytest.raises(ValidationError, match="entered again"):
        await mcp.service.change(boss, "web", TENANT, moved)
    same = ServerChanges(
        url=made.shown.url, headers=made.shown.headers, oauth=made.shown.oauth, timeout=5
    )
    again = await mcp.service.change(boss, "web", TENANT, same)
    assert again.config.url == HTTP.url
    assert again.config.headers == HTTP.headers


@pytest.mark.every_database
async def test_an_admin_cannot_turn_somebodys_secrets_to_other_arguments(mcp: MCPInstallation):
    boss = await mcp.owner("acme", "python3")
    ann = await mcp.installation.person(boss.tenant_id, "ann")
    await mcp.service.create(ann, "time", ServerScope(ann.user_id), STDIO)
    with pytest.raises(ValidationError, match="entered again"):
        await mcp.service.change(
            boss, "time", ServerScope(ann.user_id), ServerChanges(args=["env"])
        )
    await mcp.service.change(ann, "time", ServerScope(ann.user_id), ServerChanges(args=["env"]))


@pytest.mark.parametrize(
    "wishes",
    [
        ServerChanges(), ServerChanges(command="bash"), ServerChanges(command="python3", url="https://a.example"),
        ServerChanges(command="python3", network="full"), ServerChanges(command="python3", read_paths=["/etc"]),
        ServerChanges(command="python3", write_paths=["${WORKSPACE}/../x"]),
        ServerChanges(command="python3", write_paths=["${WORKSPACE:-/etc}"]),
        ServerChanges(command="python3", env={"PATH": "/tmp"}),
        ServerChanges(command="python3", env={"LD_PRELOAD": "/tmp/x.so"}),
        ServerChanges(command="python3", env={"KEY": "${DATAAGENT_SECRET}"}),
        ServerChanges(command="python3", timeout=0), ServerChanges(command="x" * 300),
        ServerChanges(url="http://mcp.example/mcp"), ServerChanges(url="ws://mcp.example/mcp"),
        ServerChanges(url="https://private.example/mcp"),
        ServerChanges(url="wss://metadata.example/mcp"),
        ServerChanges(url="https://a.example${X:-.private.example}/mcp"),
        ServerChanges(url="https://user:pw@mcp.example/mcp"), ServerChanges(url="file:///etc/passwd"),
        ServerChanges(url="https://a.example/", oauth={"token_endpoint": "https://private.example/t"}),
        ServerChanges(url="https://a.example/", headers={"A": "b\r\nC: d"}),
    ],
)  # fmt: skip
async def test_what_may_not_be_stored(mcp: MCPInstallation, wishes: ServerChanges):
    boss = await mcp.owner("acme", "python3")
    mcp.installation.addresses |= {
        "private.example": ["10.0.0.8"],
        "metadata.example": ["169.254.169.254"],
    }
    with pytest.raises(ValidationError):
        await mcp.service.create(boss, "x", TENANT, wishes)
    assert await stored(mcp) == []


@pytest.mark.every_database
async def test_a_password_in_an_address_is_refused_with_where_it_belongs(mcp: MCPInstallation):
    boss = await mcp.owner("acme")
    with pytest.raises(ValidationError, match="in `headers`") as refused:
        await mcp.service.create(
            boss, "x", TENANT, ServerChanges(url="https://ann:s3cret-pw@mcp.example/mcp")
        )
    assert "s3cret-pw" not in str(refused.value)


@pytest.mark.parametrize("name", ["", "a b", "a__b", "../x", "x" * 65, "-x", "é"])
async def test_a_name_that_could_not_stand_in_a_tools_name_is_refused(
    mcp: MCPInstallation, name: str
):
    boss = await mcp.owner("acme")
    with pytest.raises(ValidationError):
        await mcp.service.create(boss, name, TENANT, HTTP)


@pytest.mark.every_database
@pytest.mark.requirement("F6-3")
async def test_no_program_is_allowed_before_an_admin_says_so_and_the_rest_is_the_operators(
    mcp: MCPInstallation,
):
    boss = await mcp.owner("acme")
    ann = await mcp.installation.person(boss.tenant_id, "ann")
    with pytest.raises(ValidationError, match="no program is allowed here yet"):
        await mcp.service.create(ann, "time", ServerScope(ann.user_id), STDIO)
    with pytest.raises(DeniedError):
        await mcp.policy.change(ann, {"commands": ("python3",)})
    await mcp.policy.change(boss, {"commands": ("python3",), "network": "hosts"})
    await mcp.service.create(ann, "time", ServerScope(ann.user_id), STDIO)
    for values in ({"network_max": "full"}, {"read_paths": ("/srv",)}, {"write_paths": ("/srv",)}):
        with pytest.raises(DeniedError):
            await mcp.policy.change(boss, values)
    root = operator(DEFAULT_TENANT)
    await mcp.policy.change(root, {"network_max": "full", "read_paths": ("/srv",)}, "acme")
    wide = ServerChanges(
        command="python3",
        network="full",
        read_paths=["/srv", "${WORKSPACE}"],
        write_paths=["${WORKSPACE}"],
    )
    await mcp.service.create(ann, "wide", ServerScope(ann.user_id), wide)
    changing = ServerChanges(command="python3", write_paths=["/srv"])
    with pytest.raises(ValidationError, match="/srv"):
        await mcp.service.create(ann, "more", ServerScope(ann.user_id), changing)
    with pytest.raises(NotFoundError):
        await mcp.policy.get(boss, "default")


@pytest.mark.every_database
async def test_a_tenant_without_programs_or_without_mcp_has_none(mcp: MCPInstallation):
    boss = await mcp.owner("acme", "python3")
    root = operator(DEFAULT_TENANT)
    await mcp.service.create(boss, "time", TENANT, STDIO)
    off = {"features_enabled": {"code_execution": False}}
    await mcp.installation.people.tenants.change(root, "acme", limits=off)
    with pytest.raises(ValidationError, match="code_execution"):
        await mcp.service.create(boss, "more", TENANT, STDIO)
    await mcp.installation.people.tenants.change(
        root, "acme", limits={"features_enabled": {"mcp": False}}
    )
    assert await mcp.service.configs_for(boss.tenant_id, boss.user_id, None) == []


@pytest.mark.every_database
async def test_a_person_has_as_many_as_the_tenant_allows(mcp: MCPInstallation):
    boss = await mcp.owner("acme")
    await mcp.installation.people.tenants.change(
        operator(DEFAULT_TENANT), "acme", limits={"max_mcp_servers": 1}
    )
    mine = ServerScope(boss.user_id)
    await mcp.service.create(boss, "one", mine, HTTP)
    with pytest.raises(LimitReachedError, match="max_mcp_servers"):
        await mcp.service.create(boss, "two", mine, HTTP)
    # What is shared has a limit of its own.
    await mcp.service.create(boss, "two", TENANT, HTTP)
    with pytest.raises(ConflictError):
        await mcp.service.create(boss, "two", TENANT, HTTP)


@pytest.mark.every_database
async def test_who_leaves_and_what_is_deleted_takes_its_servers_along(mcp: MCPInstallation):
    boss = await mcp.owner("acme")
    ann = await mcp.installation.person(boss.tenant_id, "ann")
    project = (await mcp.installation.people.projects.create(boss, "Sales")).project_id
    for place, who in (
        (TENANT, boss),
        (ServerScope(project_id=project), boss),
        (ServerScope(ann.user_id), ann),
    ):
        await mcp.service.create(who, "web", place, HTTP)
    await mcp.installation.people.projects.delete(boss, project)
    await mcp.installation.people.members.remove(boss, ann.user_id)
    (left,) = await stored(mcp)
    assert (left.scope, left.user_id, left.project_id) == ("tenant", "", "")
    await mcp.service.delete(boss, "web", TENANT)
    assert await stored(mcp) == []


@pytest.mark.every_database
async def test_every_change_is_on_record_without_a_secret(mcp: MCPInstallation):
    boss = await mcp.owner("acme")
    await mcp.service.create(boss, "web", TENANT, HTTP)
    await mcp.service.change(boss, "web", TENANT, ServerChanges(disabled=True))
    await mcp.service.delete(boss, "web", TENANT)
    chain = await mcp.installation.database.read(
        lambda c: audit_rows.page_of(c, boss.tenant_id, 0, 100, None)
    )
    told = [row for row in chain if row.resource == "mcp_server:tenant/web"]
    assert [row.action for row in told] == [
        "mcp_server.create",
        "mcp_server.change",
        "mcp_server.delete",
    ]
    assert "s3cret" not in repr(told)
