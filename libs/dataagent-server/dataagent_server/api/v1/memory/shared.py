"""Parameters of the routes about memories and the graph."""

from typing import Annotated

from fastapi import Depends, Path, Query

from dataagent_server.agents.memory.memory_record import ScopeChoice
from dataagent_server.api.models.fields import ID_PATTERN

MemoryPath = Annotated[str, Path(alias="memory_id", pattern=ID_PATTERN)]
EntityPath = Annotated[str, Path(alias="entity_id", pattern=ID_PATTERN)]
EpisodePath = Annotated[str, Path(alias="episode_id", pattern=ID_PATTERN)]
AssistantQuery = Annotated[
    str | None, Query(pattern=ID_PATTERN, description="What counts with this assistant")
]
ProjectQuery = Annotated[
    str | None, Query(pattern=ID_PATTERN, description="What counts in this project")
]
# An id of the past may have any form.
CommunityQuery = Annotated[
    str | None, Query(pattern=r"^[!-~]{1,64}$", description="Those of this community")
]


def read_scope_choice(
    assistant_id: AssistantQuery = None, project_id: ProjectQuery = None
) -> ScopeChoice:
    """Read from the query into which scopes to look; left out: all of one's own."""
    return ScopeChoice(assistant_id=assistant_id, project_id=project_id)


Where = Annotated[ScopeChoice, Depends(read_scope_choice)]
