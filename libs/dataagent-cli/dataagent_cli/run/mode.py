"""The mode a run is ordered to begin in: `dataagent run --mode`."""

from typing import TYPE_CHECKING

from dataagent_cli.run.order import RunOrder
from dataagent_cli.wiring import local_user
from dataagent_core.session import change_mode, mode_of

if TYPE_CHECKING:
    from dataagent_core.events import Event
    from dataagent_core.session.stores.bundle import Stores


async def switch_if_wanted(stores: "Stores", order: RunOrder) -> list["Event"]:
    """Switch the session's mode, and give the event to show; nothing if it is in it already."""
    wanted, session_id = order.mode, order.session_id
    if wanted is None or await mode_of(stores.log, session_id) == wanted:
        return []
    return [await change_mode(stores.log, session_id, wanted, local_user())]
