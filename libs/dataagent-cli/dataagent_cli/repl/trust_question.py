"""The question about a directory in which the person starts for the first time."""

import os
import sys
from pathlib import Path

from dataagent_cli.approval.form import write_behind_bar
from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.approval.question_box import write_choices, write_heading
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import App


def has_decided_about(app: App, workspace: Path) -> bool:
    """Say whether the person has decided about a directory."""
    from dataagent_core.permissions.rule_files.trust import was_asked

    return was_asked(app.settings.home, workspace)


async def may_work_in(app: App, workspace: Path) -> bool:
    """Ask once whether a directory is trusted; the answer may be no."""
    from dataagent_core.permissions.rule_files.rule_file_names import PROJECT_RULES_PATH
    from dataagent_core.permissions.rule_files.trust import refuse, trust
    from dataagent_core.sandbox.toolchains import find_toolchains

    home, say, output = app.settings.home, app.say, app.output
    if has_decided_about(app, workspace):
        return True
    write_heading(say("repl_trust_title"), output)
    about = [say("repl_trust_about", path=str(workspace))]
    rules = workspace / PROJECT_RULES_PATH
    if rules.exists():
        about.append(say("repl_trust_rules", path=str(rules)))
    folders = find_toolchains(workspace, os.environ, [home]).folders
    if folders:
        about.append(say("repl_trust_toolchains", paths=", ".join(map(str, folders))))
    write_behind_bar(about, output)
    write_choices(say("repl_trust_choices").split("\n"), output)
    keyboard = Keyboard(sys.stdin.fileno())
    keyboard.forget_what_was_typed()
    while True:
        output.prompt(say("choice"))
        match ((await keyboard.line()) or "q").strip().lower():
            case "y":
                trust(home, workspace)
                await _ask_registries(app, workspace, keyboard)
                return True
            case "n":
                refuse(home, workspace)
                return True
            case "q":
                return False
            case _:
                output.note(say("repl_trust_bad"))


async def trusts_env(app: App) -> bool:
    """Ask once about addresses, keys and the log in the project's `.env`; Enter means no.

    True means that the settings must be read again.
    """
    env = app.settings.withheld_env
    if env is None or env.answer != "open":
        return False
    write_heading(app.say("repl_env_title"), app.output)
    write_behind_bar([one_line(shown) for shown in env.shown()], app.output)
    app.output.prompt(app.say("repl_env"))
    keyboard = Keyboard(sys.stdin.fileno())
    keyboard.forget_what_was_typed()
    trusted = ((await keyboard.line()) or "").strip().lower() == "y"
    env.decide(trusted=trusted)
    return trusted


async def _ask_registries(app: App, workspace: Path, keyboard: Keyboard) -> None:
    """Ask once whether commands may fetch packages; Enter means no."""
    from dataagent_core.permissions.rule_files.registries import (
        allow_registries,
        usual_registries,
        were_registries_asked,
    )

    hosts = usual_registries(workspace)
    if not hosts or were_registries_asked(app.settings.home, workspace):
        return
    app.output.prompt(app.say("repl_registries", hosts=", ".join(hosts)))
    answer = ((await keyboard.line()) or "").strip().lower()
    allow_registries(app.settings.home, workspace, hosts if answer == "y" else ())
