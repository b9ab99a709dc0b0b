"""Pictures named on the command line of a run, put where the agent can open them."""

from dataclasses import replace
from pathlib import Path

from dataagent_cli.conversation.pictures import Attach, with_pictures
from dataagent_cli.run.order import RunOrder
from dataagent_core.session.prompt import OWN_WORDS_KEY


async def with_typed_pictures(order: RunOrder, here: Path, attach: Attach) -> RunOrder:
    """Name the pictures of the prompt as the agent can open them; what was piped in stays."""
    if order.prompt is None or not order.typed_chars:
        return order
    typed, piped = order.prompt[: order.typed_chars], order.prompt[order.typed_chars :]
    named = await with_pictures(typed, here, attach)
    own = {OWN_WORDS_KEY: len(named)} if OWN_WORDS_KEY in order.context else {}
    return replace(
        order,
        prompt=named + piped,
        typed_chars=len(named),
        context={**order.context, **own},
    )
