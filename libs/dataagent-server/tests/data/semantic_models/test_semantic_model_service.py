"""A project's semantic model: kept as it was written, read where it counts, on every database."""

import pytest
from installation import Installation
from shop_server import MODEL

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, ValidationError
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_server.common.ids import TenantId
from dataagent_server.data.semantic_models.semantic_model_service import SemanticModelService

pytestmark = pytest.mark.every_database


@pytest.fixture
def models(installation: Installation) -> SemanticModelService:
    return SemanticModelService(
        installation.database, installation.people.audit, installation.time.now
    )


async def test_a_projects_model_counts_before_the_tenants(
    installation: Installation, models: SemanticModelService
):
    boss = await installation.person(await installation.tenant("acme"), "boss", "owner")
    project = (await installation.people.projects.create(boss, "Sales")).project_id
    assert await models.model_for(boss.tenant_id, project) == SemanticModel()
    await models.put(boss, None, MODEL)
    assert [m.name for m in (await models.model_for(boss.tenant_id, project)).metrics] == [
        "revenue"
    ]
    own = await models.put(boss, project, MODEL.replace("Money taken", "销售额"), version=0)
    assert (own.version, "销售额" in own.text) == (1, True)
    assert [m.name for m in (await models.model_for(boss.tenant_id, None)).metrics] == ["revenue"]
    assert await models.model_for(TenantId("other"), project) == SemanticModel()


async def test_who_may_change_it_and_what_cannot_be_one(
    installation: Installation, models: SemanticModelService
):
    boss = await installation.person(await installation.tenant("acme"), "boss", "owner")
    ann = await installation.person(boss.tenant_id, "ann")
    mine = (await installation.people.projects.create(ann, "Mine")).project_id
    assert (await models.put(ann, mine, MODEL)).version == 1
    with pytest.raises(ConflictError):
        await models.put(ann, mine, MODEL, version=0)
    with pytest.raises(DeniedError):
        await models.put(ann, None, MODEL)
    stranger = await installation.person(await installation.tenant("other"), "eve", "owner")
    with pytest.raises(NotFoundError):
        await models.get(stranger, mine)
    with pytest.raises(ValidationError):
        await models.put(boss, None, "a: &a [1]\nb: *a")
    assert (await models.get(boss, None)).version == 0
