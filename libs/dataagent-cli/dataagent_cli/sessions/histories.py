"""What the model knows of sessions, for the commands that move it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataagent_core.session.copies.histories import Histories
    from dataagent_core.session.stores.bundle import Stores


def histories_of(stores: "Stores") -> "Histories":
    """Open the histories beside the stores."""
    # The engine is large, and most commands about sessions do without.
    from dataagent_core.engine.checkpoints.checkpoint_histories import CheckpointHistories

    return CheckpointHistories(stores.checkpoints)
