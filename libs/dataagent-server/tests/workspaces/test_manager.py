"""Core's workspace manager over the server's rows: it does what the library's does."""

import pytest
from workspace_installation import WorkspaceInstallation

from dataagent_core.errors import NotFoundError
from dataagent_core.testing.conformance import WorkspaceManagerConformance
from dataagent_core.testing.conformance.workspaces import QUOTA_BYTES, WorkspaceUser
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.workspaces.agent_workspace import open_for_agent
from dataagent_server.workspaces.workspace import StorageAmount

FILES_MAX = 100


async def user_of(spaces: WorkspaceInstallation, person: Principal) -> WorkspaceUser:
    small = spaces.with_maximum(QUOTA_BYTES, FILES_MAX)
    opened = await open_for_agent(small.store, person.tenant_id, person.user_id)
    return WorkspaceUser(person.user_id, opened.manager)


@pytest.mark.parametrize("database_kind", ["sqlite"])
class TestServerWorkspaces(WorkspaceManagerConformance):
    @pytest.fixture
    async def workspace_pair(
        self, spaces: WorkspaceInstallation
    ) -> tuple[WorkspaceUser, WorkspaceUser]:
        ann = await spaces.person()
        bob = await spaces.person(ann.tenant_id)
        return await user_of(spaces, ann), await user_of(spaces, bob)

    async def test_it_counts_in_the_database(self, spaces: WorkspaceInstallation):
        ann = await spaces.person()
        user = await user_of(spaces, ann)
        await (await user.files()).write_file("/files/new/a", "x" * 600)
        made = await spaces.service.default(ann)
        assert (await spaces.counted(made)).amount == spaces.on_disk(made) == StorageAmount(600, 2)
        # What the tenant has left counts as well.
        full = await user_of(spaces, await spaces.person(await spaces.tenant(100)))
        assert (await full.fits(100), await full.fits(101)) == (True, False)

    async def test_it_knows_the_person_it_was_opened_for_and_nobody_else(
        self, workspace_pair: tuple[WorkspaceUser, WorkspaceUser]
    ):
        ann, bob = workspace_pair
        with pytest.raises(NotFoundError):
            ann.manager.get_user_workspace(bob.user_id)
