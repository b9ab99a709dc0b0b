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


async def hold_conversation(app: App, request: ConversationRequest, *, plain: bool) -> int:
    """Hold a conversation until the person leaves."""
    if request.choose:
        from dataagent_cli.repl.session_choice import choose_session

        session_id = await choose_session(app, request.server, plain=plain)
        if session_id is None:
            return exit_codes.CANCELLED
        request = replace(request, session_id=session_id, choose=False)
    # A resumed session, or a server, has its own directory and model.
    if not (request.takes_up or request.server):
        if not await may_work_in(app, request.workspace):
            return exit_codes.CANCELLED
        if await trusts_env(app):
            app = start()
        app, request = await _with_a_model(app, request)
    if plain:
        from dataagent_cli.repl.plain_shell import run_in_lines

        return await run_in_lines(app, request)
    from dataagent_cli.repl.inline import run_inline

    return await run_inline(app, request)


async def _with_a_model(app: App, request: ConversationRequest) -> tuple[App, ConversationRequest]:
    """Let the person choose a model if there is none; then the settings are read again."""
    if request.model or app.settings.model:
        return app, request
    from dataagent_cli.setup.first_start import DEMO_MODEL, ask_for_model, is_configured
    from dataagent_cli.setup.plain_prompter import PlainPrompter

    if is_configured(app.settings):
        return app, request
    choice = await ask_for_model(app, PlainPrompter(sys.stdin.fileno(), app.output, app.say))
    if choice is None:
        return start(), request
    if choice.name == DEMO_MODEL:
        from dataagent_cli.repl.demo import make_demo_request

        return start(), await make_demo_request(app, request)
    return start(), replace(request, model=choice.name)
