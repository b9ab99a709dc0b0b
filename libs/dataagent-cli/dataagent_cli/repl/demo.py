"""The demo as a conversation: the sample warehouse, and a question in the input."""

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.setup.first_start import DEMO_MODEL
from dataagent_cli.wiring import App


async def make_demo_request(app: App, request: ConversationRequest) -> ConversationRequest:
    """Make the sample data in a new directory, and request a conversation there."""
    from dataagent_core.models import DEMO_PROMPT
    from dataagent_core.models.scripted.demo_script import SHOP
    from dataagent_core.permissions.rule_files.trust import trust
    from dataagent_core.tools.data.sample import make_shop

    # Not removed: the person may want to look at the files, or come back.
    place = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="dataagent-demo-"))
    app.output.note(app.say("repl_demo"))
    await asyncio.to_thread(make_shop, place / SHOP)
    trust(app.settings.home, place)
    return replace(request, workspace=place, model=DEMO_MODEL, begun=DEMO_PROMPT)
