"""`dataagent` without a command: from the options to the exit code.

Everything imported here is light, so that the prompt appears at once; the engine is loaded in the
background (`conversation/local/parts.py`).
"""

import sys
from dataclasses import replace

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.output import exit_codes
from dataagent_cli.repl.trust_question import may_work_in, trusts_env
from dataagent_cli.wiring import App, start


async def hold_conversation(app: App, order: ConversationRequest, *, plain: bool) -> int:
    """Hold a conversation until the person leaves."""
    if order.choose:
        from dataagent_cli.repl.session_choice import choose_session

        session_id = await choose_session(app, order.server, plain=plain)
        if session_id is None:
            return exit_codes.CANCELLED
        order = replace(order, session_id=session_id, choose=False)
    # A resumed session, or a server, has its own directory and model.
    if not (order.takes_up or order.server):
        if not await may_work_in(app, order.workspace):
            return exit_codes.CANCELLED
        if await trusts_env(app):
            app = start()
        app, order = await _with_a_model(app, order)
    if plain:
        from dataagent_cli.repl.plain_shell import run_in_lines

        return await run_in_lines(app, order)
    from dataagent_cli.repl.inline import run_inline

    return await run_inline(app, order)


async def _with_a_model(app: App, order: ConversationRequest) -> tuple[App, ConversationRequest]:
    """Let the person choose a model if there is none; then the settings are read again."""
    if order.model or app.settings.model:
        return app, order
    from dataagent_cli.setup.first_start import DEMO_MODEL, ask_for_model, is_configured
    from dataagent_cli.setup.plain_prompter import PlainPrompter

    if is_configured(app.settings):
        return app, order
    choice = await ask_for_model(app, PlainPrompter(sys.stdin.fileno(), app.output, app.say))
    if choice is None:
        return start(), order
    if choice.name == DEMO_MODEL:
        from dataagent_cli.repl.demo import make_demo_request

        return start(), await make_demo_request(app, order)
    return start(), replace(order, model=choice.name)
