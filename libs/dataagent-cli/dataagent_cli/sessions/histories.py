"""The stored model histories of sessions, for commands that copy them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataagent_core.session.copies.histories import Histories
    from dataagent_core.session.stores.bundle import Stores


def histories_of(stores: "Stores") -> "Histories":
    """Open the histories of the stores."""
    # The engine is large, and most session commands do not need it.
    from dataagent_core.engine.checkpoints.checkpoint_histories import CheckpointHistories

    return CheckpointHistories(stores.checkpoints)
