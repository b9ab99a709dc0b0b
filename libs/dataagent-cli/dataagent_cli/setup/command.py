"""`dataagent setup`: runs the first setup again, or lists the servers here, for programs."""

import sys

from dataagent_cli.output import exit_codes
from dataagent_cli.output.json_document import write_document
from dataagent_cli.setup.first_start import ask_for_model, is_configured
from dataagent_cli.setup.plain_prompter import PlainPrompter
from dataagent_cli.setup.probe import find_servers, usual_candidates
from dataagent_cli.wiring import App
from dataagent_core.errors import ValidationError


async def set_up(app: App, as_json: bool) -> int:
    """Ask, or print; without a terminal nothing is asked."""
    if as_json:
        servers = await find_servers(usual_candidates(app.settings))
        found = [
            {"server": one.kind, "address": one.url, "models": list(one.models)} for one in servers
        ]
        write_document({"configured": is_configured(app.settings), "found": found})
        return exit_codes.DONE
    if not (sys.stdin.isatty() and app.output.err_is_terminal):
        raise ValidationError(app.say("setup_no_terminal"))
    await ask_for_model(app, PlainPrompter(sys.stdin.fileno(), app.output, app.say))
    return exit_codes.DONE
