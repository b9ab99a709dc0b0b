"""Assistants on each database."""

from dataclasses import replace

import pytest
from installation import Installation

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, ValidationError
from dataagent_server.agents.assistants.assistant import Assistant
from dataagent_server.agents.assistants.assistant_service import AssistantService
from dataagent_server.agents.assistants.sandbox_policy import SandboxPolicy
from dataagent_server.common.ids import TenantId
from dataagent_server.common.names import validate_model_name
from dataagent_server.common.pagination import PageRequest


@pytest.fixture
def service(installation: Installation) -> AssistantService:
    return AssistantService(
        installation.database,
        installation.people.audit,
        "default",
        SandboxPolicy(),
        installation.time.now,
    )


def wished(name: str = "Sales", assistant_id: str = "sales") -> Assistant:
    return Assistant(assistant_id=assistant_id, name=name, options={"enable_shell": False})


@pytest.mark.every_database
async def test_an_assistant_says_how_its_agent_is_built(
    installation: Installation, service: AssistantService
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    made = await service.create(ann, wished())
    changed = await service.change(ann, "sales", {"model": "openai:b", "system_prompt": "数据"})
    assert await service.get(ann, "sales") == changed
    assert changed.created_at == made.created_at
    config = await service.config_of(ann.tenant_id, "sales")
    assert (config.assistant_id, config.model, config.system_prompt, config.enable_shell) == (
        "sales",
        "openai:b",
        "数据",
        False,
    )
    assert config.enable_memory
    assert not config.auto_approve


@pytest.mark.every_database
async def test_the_built_in_one_is_everywhere(service: AssistantService):
    config = await service.config_of(TenantId("nowhere"), "default")
    assert (config.assistant_id, config.model) == ("default", None)


@pytest.mark.every_database
async def test_pages_hold_every_assistant_once(
    installation: Installation, service: AssistantService
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    names = [f"a{number}" for number in range(5)]
    for name in names:
        await service.create(ann, wished(assistant_id=name))
    seen: list[str] = []
    after = None
    while True:
        page = await service.list(ann, PageRequest(after, 2))
        seen += [one.assistant_id for one in page.items]
        if (after := page.next) is None:
            break
    assert seen == ["default", *names]


@pytest.mark.every_database
async def test_only_its_maker_and_admins_change_it(
    installation: Installation, service: AssistantService
):
    tenant, other = await installation.tenant("t"), await installation.tenant("u")
    ann, bob = await installation.person(tenant, "ann"), await installation.person(tenant, "bob")
    ada, eve = (
        await installation.person(tenant, "ada", "admin"),
        await installation.person(other, "eve"),
    )
    await service.create(ann, wished())
    with pytest.raises(DeniedError):
        await service.change(bob, "sales", {"name": "Mine"})
    with pytest.raises(NotFoundError):
        await service.delete(eve, "sales")
    assert (await service.change(ada, "sales", {"is_active": False})).is_active is False
    with pytest.raises(ConflictError):
        await service.resolve_id(bob, "sales")
    with pytest.raises(ConflictError):
        await service.create(ann, wished())
    await service.create(eve, wished())
    await service.delete(ann, "sales")
    assert (await service.get(eve, "sales")).owner_id == eve.user_id


@pytest.mark.every_database
async def test_what_cannot_be_kept_is_refused(
    installation: Installation, service: AssistantService
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    for odd in (wished(name=" "), wished(name="a\u202eb"), wished(assistant_id="a/b")):
        with pytest.raises(ValidationError):
            await service.create(ann, odd)
    for method in (service.delete(ann, "default"), service.change(ann, "default", {"name": "x"})):
        with pytest.raises(ConflictError):
            await method


@pytest.mark.every_database
async def test_a_models_name_is_refused_as_elsewhere(
    installation: Installation, service: AssistantService
):
    ann = await installation.person(await installation.tenant("t"), "ann")
    made = await service.create(ann, replace(wished(), model="demo"))
    assert made.model == "demo:demo"
    for name in ("scripted:/etc/passwd", "nobody:x", "nameless", ""):
        with pytest.raises(ValidationError) as expected:
            validate_model_name(name)
        for refused in (
            service.create(ann, replace(wished(assistant_id="other"), model=name)),
            service.change(ann, "sales", {"model": name}),
        ):
            with pytest.raises(ValidationError) as told:
                await refused
            assert str(told.value) == str(expected.value)
    assert (await service.change(ann, "sales", {"model": None})).model is None
