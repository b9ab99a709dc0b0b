"""The sample warehouse: created once, as a source of the default tenant."""

import asyncio
from pathlib import Path

from dataagent_core.errors import ConflictError
from dataagent_core.models.scripted.demo_script import SHOP
from dataagent_core.tools.data.sample import make_shop
from dataagent_core.tools.web.web_policy import make_web_policy
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.composition import PeopleServices
from dataagent_server.data.sources.data_source import SourceChanges
from dataagent_server.data.sources.data_source_service import DataSourceService
from dataagent_server.data.sources.source_places import SourceLocations
from dataagent_server.data.sources.source_sealer import SourceSealer
from dataagent_server.db.database import Database
from dataagent_server.identity.auth.principal import operator
from dataagent_server.settings import ServerSettings

_DESCRIPTION = "A made-up shop: customers, products, orders and events of one year."


async def offer_sample(
    settings: ServerSettings, database: Database, people: PeopleServices
) -> None:
    """Create it at the first start that asks for it; a source that a user removed stays removed."""
    folder = settings.sample_folder / SHOP
    if await asyncio.to_thread(folder.exists):
        return
    await asyncio.to_thread(_make, folder)
    places = SourceLocations(make_web_policy(settings), [settings.sample_folder])
    sources = DataSourceService(database, people.audit, SourceSealer(people.cipher), places)
    wishes = SourceChanges(location=str(folder), description=_DESCRIPTION)
    try:
        await sources.create(operator(DEFAULT_TENANT), SHOP, None, wishes)
    except ConflictError:
        return  # another one of that name is somebody's own


def _make(folder: Path) -> None:
    # Written to a temporary name first: an interrupted start begins again next time.
    aside = folder.with_name(f".{folder.name}.part")
    make_shop(aside)
    aside.rename(folder)
