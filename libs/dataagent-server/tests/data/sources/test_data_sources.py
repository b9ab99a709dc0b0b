"""A tenant's data sources: encrypted, shown without passwords, only where a tenant may reach."""

from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import pytest
from installation import Installation
from sqlalchemy import select

from dataagent_core.errors import (
    ConflictError,
    DataAgentError,
    DeniedError,
    NotFoundError,
    StorageError,
    ValidationError,
)
from dataagent_core.tools.data.sources.read_options import ReadOptions
from dataagent_core.tools.web.web_policy import WebPolicy
from dataagent_server.data.sources.data_source import ReadingChanges, SourceChanges
from dataagent_server.data.sources.data_source_service import DataSourceService
from dataagent_server.data.sources.source_places import OwnFolders, SourceLocations
from dataagent_server.data.sources.source_sealer import SourceSealer
from dataagent_server.db.tables.data import data_sources
from dataagent_server.identity.auth.principal import Principal

URL = "postgresql://reader:s3cret@db.example/shop?sslmode=require"


@dataclass
class MCPInstallation:
    """The service, and the installation of its users."""

    installation: Installation
    service: DataSourceService

    async def owner(self, name: str) -> Principal:
        return await self.installation.person(await self.installation.tenant(name), "boss", "owner")


@pytest.fixture
def desk(installation: Installation, tmp_path: Path) -> MCPInstallation:
    (tmp_path / "open").mkdir()

    async def resolver(host: str, port: int):
        del port
        return [ip_address(text) for text in installation.addresses.get(host, ["93.184.215.14"])]

    policy = WebPolicy(frozenset({("inside.example", 5432)}))
    own = OwnFolders(tmp_path / "open" / "home", tmp_path / "open" / "home" / "sample")
    places = SourceLocations(policy, [tmp_path / "open"], resolver, own)
    sealer = SourceSealer(installation.people.cipher)
    return MCPInstallation(
        installation,
        DataSourceService(installation.database, installation.people.audit, sealer, places),
    )


@pytest.mark.every_database
@pytest.mark.requirement("F5-1")
async def test_an_address_is_stored_encrypted_and_shown_without_its_password(desk: MCPInstallation):
    boss = await desk.owner("acme")
    wishes = SourceChanges(location=URL, description="The shop", hidden=("staff.*",))
    made = await desk.service.create(boss, "shop", None, wishes)
    assert made.place == "postgresql://reader:***@db.example/shop"
    assert (made.kind, made.version, made.hidden) == ("postgres", 1, ("staff.*",))
    stored = await desk.installation.database.read(lambda c: c.execute(select(data_sources)).all())
    assert "s3cret" not in repr((stored, made, await desk.service.list(boss, None)))
    found = await desk.service.open_store(boss.tenant_id, None).find("shop")
    assert found is not None
    assert (found.location, found.dialled) == (URL, "93.184.215.14")
    listed = await desk.service.open_store(boss.tenant_id, None).listed()
    assert [(spec.name, spec.location) for spec in listed] == [("shop", "")]


@pytest.mark.every_database
async def test_a_ciphertext_does_not_open_for_another_tenant_or_name(desk: MCPInstallation):
    acme, evil = await desk.owner("acme"), await desk.owner("evil")
    await desk.service.create(acme, "shop", None, SourceChanges(location=URL))
    await desk.service.create(evil, "shop", None, SourceChanges(location="mysql://a@b.example/c"))
    stolen = await desk.installation.database.read(
        lambda c: c.execute(
            select(data_sources.c.location).where(data_sources.c.tenant_id == acme.tenant_id)
        ).scalar()
    )
    await desk.installation.database.write(
        lambda c: c.execute(
            data_sources.update()
            .where(data_sources.c.tenant_id == evil.tenant_id)
            .values(location=stolen)
        )
    )
    with pytest.raises(StorageError):
        await desk.service.open_store(evil.tenant_id, None).find("shop")


@pytest.mark.every_database
async def test_a_projects_source_hides_the_tenants_of_the_same_name(desk: MCPInstallation):
    boss = await desk.owner("acme")
    project = (await desk.installation.people.projects.create(boss, "Sales")).project_id
    other = (await desk.installation.people.projects.create(boss, "Other")).project_id
    await desk.service.create(boss, "shop", None, SourceChanges(location=URL))
    await desk.service.create(boss, "also", None, SourceChanges(location=URL))
    mine = SourceChanges(location="mysql://a:b@m.example/d")
    await desk.service.create(boss, "shop", project, mine)
    book = desk.service.open_store(boss.tenant_id, project)
    assert [(one.name, one.kind) for one in await book.listed()] == [
        ("also", "postgres"),
        ("shop", "mysql"),
    ]
    there = await desk.service.open_store(boss.tenant_id, other).find("shop")
    assert there is not None
    assert there.kind == "postgres"
    await desk.service.delete(boss, "shop", project)
    assert (await desk.service.get(boss, "shop", project)).kind == "postgres"
    with pytest.raises(NotFoundError):
        await desk.service.delete(boss, "shop", project)


@pytest.mark.every_database
async def test_members_read_admins_change_and_a_projects_owner_changes_its_own(
    desk: MCPInstallation,
):
    boss, other = await desk.owner("acme"), await desk.owner("other")
    ann = await desk.installation.person(boss.tenant_id, "ann")
    project = (await desk.installation.people.projects.create(ann, "Mine")).project_id
    theirs = (await desk.installation.people.projects.create(boss, "Theirs")).project_id
    wishes = SourceChanges(location=URL)
    await desk.service.create(boss, "shop", None, wishes)
    await desk.service.create(ann, "shop", project, wishes)
    assert (await desk.service.get(ann, "shop", None)).owner_id == boss.user_id
    for refused in (
        desk.service.create(ann, "more", None, wishes),
        desk.service.create(ann, "more", theirs, wishes),
        desk.service.change(ann, "shop", None, SourceChanges(description="mine")),
        desk.service.delete(ann, "shop", None),
    ):
        with pytest.raises(DeniedError):
            await refused
    assert await desk.service.list(other, None) == []
    for missing in (
        desk.service.get(other, "shop", None),
        desk.service.list(other, project),
        desk.service.delete(other, "shop", None),
    ):
        with pytest.raises(NotFoundError):
            await missing


@pytest.mark.every_database
async def test_a_change_keeps_what_is_not_said_and_a_stored_password_goes_nowhere_else(
    desk: MCPInstallation,
):
    boss = await desk.owner("acme")
    wishes = SourceChanges(location=URL, write_url="postgresql://w:x@db.example/shop")
    made = await desk.service.create(boss, "shop", None, wishes)
    with pytest.raises(ConflictError):
        await desk.service.create(boss, "shop", None, wishes)
    again = SourceChanges(location=made.place, personal=("customers.phone",))
    changed = await desk.service.change(boss, "shop", None, again, version=1)
    assert (changed.version, changed.personal) == (2, ("customers.phone",))
    spec = await desk.service.open_store(boss.tenant_id, None).find("shop")
    assert spec is not None
    assert (spec.location, spec.write_url) == (URL, "postgresql://w:x@db.example/shop")
    moved = made.place.replace("db.example", "evil.example")
    with pytest.raises(ValidationError, match="entered again"):
        await desk.service.change(boss, "shop", None, SourceChanges(location=moved))
    with pytest.raises(ConflictError):
        await desk.service.change(boss, "shop", None, SourceChanges(description="x"), version=1)
    gone = await desk.service.change(boss, "shop", None, SourceChanges(write_url=""))
    assert gone.write_place is None


@pytest.mark.every_database
async def test_how_files_are_read_is_kept_changed_and_taken_away(
    desk: MCPInstallation, tmp_path: Path
):
    boss = await desk.owner("acme")
    (tmp_path / "open" / "a.csv").write_text("a\n1\n")
    place = str(tmp_path / "open" / "a.csv")
    month_first = ReadingChanges(dates="mdy", encoding="cp1250")
    made = await desk.service.create(
        boss, "file", None, SourceChanges(location=place, reading=month_first)
    )
    assert made.reading == ReadOptions(dates="mdy", encoding="cp1250")
    book = desk.service.open_store(boss.tenant_id, None)
    spec = await book.find("file")
    assert spec is not None
    assert (spec.dates, spec.decimals, spec.encoding) == ("mdy", None, "cp1250")
    other = SourceChanges(reading=ReadingChanges(decimals="comma", encoding="auto"))
    changed = await desk.service.change(boss, "file", None, other)
    assert changed.reading == ReadOptions(dates="mdy", decimals="comma")
    # At another kind of place it would mean nothing.
    moved = await desk.service.change(boss, "file", None, SourceChanges(location=URL))
    assert moved.reading == ReadOptions()
    with pytest.raises(ValidationError, match="'file' is postgres"):
        await desk.service.change(boss, "file", None, SourceChanges(reading=month_first))


@pytest.mark.parametrize(
    ("name", "location"),
    [
        ("a b", URL), ("results", URL), ("x", "postgresql://u:p@metadata.example/d"),
        ("x", "postgresql://u:p@private.example/d"), ("x", "mysql://u:p@both.example/d"),
        ("x", "postgresql://u:p@inside.example:6543/d"), ("x", "postgresql://u:p@a.example,b/d"),
        ("x", "postgresql://u:p@db.example/d?hostaddr=127.0.0.1"),
        ("x", "postgresql://u:p@/d?host=/var/run"), ("x", "mysql://u@h/d?read_default_file=/etc/x"),
        ("x", "sqlite:////etc/passwd"), ("x", "file:///etc/passwd"), ("x", "/etc/passwd"),
        ("x", "duckdb:///x.db"), ("x", "../open/x.csv"), ("x", "spark://local"),
        ("x", "trino://u@db.example/c"), ("x", "https://a.example/x.csv"), ("x", ""),
        ("x", "{open}/../secret.csv"), ("x", "{open}/leads-out.csv"), ("x", "{open}/missing.csv"),
        ("x", "{open}/home/own.csv"), ("x", "{open}/home"),
    ],
)  # fmt: skip
async def test_where_a_tenants_source_may_not_be(
    desk: MCPInstallation, tmp_path: Path, name: str, location: str
):
    boss = await desk.owner("acme")
    desk.installation.addresses |= {
        "metadata.example": ["169.254.169.254"],
        "private.example": ["10.0.0.8"],
        "both.example": ["93.184.215.14", "127.0.0.1"],
        "inside.example": ["10.0.0.9"],
    }
    (tmp_path / "secret.csv").write_text("a\n1\n")
    (tmp_path / "open" / "leads-out.csv").symlink_to(tmp_path / "secret.csv")
    (tmp_path / "open" / "home").mkdir()
    (tmp_path / "open" / "home" / "own.csv").write_text("a\n1\n")
    place = location.format(open=tmp_path / "open")
    with pytest.raises(DataAgentError) as refusal:
        await desk.service.create(boss, name, None, SourceChanges(location=place))
    assert refusal.value.code in {"VALIDATION_ERROR", "PATH_ESCAPE_ERROR", "NOT_FOUND"}
    assert await desk.service.list(boss, None) == []


@pytest.mark.every_database
async def test_what_the_operator_opened_or_vouched_for_can_be_added(
    desk: MCPInstallation, tmp_path: Path
):
    boss = await desk.owner("acme")
    desk.installation.addresses["inside.example"] = ["10.0.0.9"]
    (tmp_path / "open" / "a.csv").write_text("a\n1\n")
    inside = SourceChanges(location="postgresql://u:p@inside.example/d")
    await desk.service.create(boss, "inside", None, inside)
    await desk.service.create(
        boss, "file", None, SourceChanges(location=str(tmp_path / "open" / "a.csv"))
    )
    found = await desk.service.open_store(boss.tenant_id, None).find("file")
    assert found is not None
    assert (found.kind, found.beneath) == ("files", str(tmp_path / "open"))


@pytest.mark.every_database
async def test_a_name_that_leads_inside_by_now_is_refused_when_it_is_used(desk: MCPInstallation):
    boss = await desk.owner("acme")
    await desk.service.create(boss, "shop", None, SourceChanges(location=URL))
    desk.installation.addresses["db.example"] = ["127.0.0.1"]
    with pytest.raises(ValidationError, match="web_allow_hosts"):
        await desk.service.open_store(boss.tenant_id, None).find("shop")


@pytest.mark.every_database
async def test_a_deleted_project_takes_its_sources_along(desk: MCPInstallation):
    boss = await desk.owner("acme")
    project = (await desk.installation.people.projects.create(boss, "Sales")).project_id
    for scope in (None, project):
        await desk.service.create(boss, "shop", scope, SourceChanges(location=URL))
    await desk.installation.people.projects.delete(boss, project)
    stored = await desk.installation.database.read(
        lambda c: c.execute(select(data_sources.c.project_id)).scalars().all()
    )
    assert stored == [""]


@pytest.mark.every_database
async def test_every_change_is_on_record_without_a_secret(desk: MCPInstallation):
    boss = await desk.owner("acme")
    await desk.service.create(boss, "shop", None, SourceChanges(location=URL))
    await desk.service.change(boss, "shop", None, SourceChanges(description="x"))
    await desk.service.delete(boss, "shop", None)
    from dataagent_server.identity.audit import audit_rows

    chain = await desk.installation.database.read(
        lambda c: audit_rows.page_of(c, boss.tenant_id, 0, 100, None)
    )
    told = [row for row in chain if row.resource == "data_source:shop"]
    assert [row.action for row in told] == [
        "data_source.create",
        "data_source.change",
        "data_source.delete",
    ]
    assert "s3cret" not in repr(told)
    assert (
        await desk.installation.database.read(
            lambda c: desk.installation.people.audit.verify(c, boss.tenant_id)
        )
        is None
    )
