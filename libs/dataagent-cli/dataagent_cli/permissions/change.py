"""`permissions add`, `remove`, `trust`, `registries`: change rules without an editor."""

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.permissions.list_rules import as_document
from dataagent_cli.permissions.rule_files import RulesLocation
from dataagent_cli.wiring import App
from dataagent_core.config import Settings
from dataagent_core.permissions.rule_files.registries import allow_registries, allowed_registries
from dataagent_core.permissions.rule_files.rule_file import add_rules, check_rule, remove_rule
from dataagent_core.permissions.rule_files.trust import distrust, is_trusted, trust


def add_rule(
    app: App, location: RulesLocation, entry: dict[str, str], *, of_project: bool, as_json: bool
) -> None:
    """Append one rule to a file."""
    path = location.file(of_project=of_project)
    rule = check_rule(entry, "the new rule", "project" if of_project else "person")
    was_trusted = is_trusted(location.home, location.project)
    added = add_rules(path, [rule])
    _keep_trust(location, was_trusted and of_project)
    if as_json:
        write_document({"added": bool(added), "file": str(path), "rule": as_document(rule)})
        return
    key = "rule_added" if added else "rule_already"
    app.output.note(app.say(key, rule=rule, path=path))


def delete_rule(
    app: App, location: RulesLocation, number: int, *, of_project: bool, as_json: bool
) -> None:
    """Remove one rule from a file."""
    path = location.file(of_project=of_project)
    was_trusted = is_trusted(location.home, location.project)
    rule = remove_rule(path, number)
    _keep_trust(location, was_trusted and of_project)
    if as_json:
        write_document({"removed": as_document(rule), "file": str(path)})
        return
    app.output.note(app.say("rule_removed", rule=rule, path=path))


def set_trust(app: App, location: RulesLocation, *, wanted: bool) -> None:
    """Trust the folder's rules as they are now, or withdraw the trust."""
    (trust if wanted else distrust)(location.home, location.project)
    key = "folder_trusted" if wanted else "folder_distrusted"
    app.output.note(app.say(key, path=location.project))
    env = Settings.load(directory=location.project).project_env
    if env.variables:
        env.decide(trusted=wanted)
        key = "env_trusted" if wanted else "env_distrusted"
        app.output.note(app.say(key, shown=one_line(", ".join(env.shown()))))


def set_registries(
    app: App, location: RulesLocation, hosts: tuple[str, ...] | None, *, as_json: bool
) -> None:
    """Set the package registries that commands may reach, if any are given, and print them."""
    if hosts is not None:
        allow_registries(location.home, location.project, hosts)
    allowed = allowed_registries(location.home, location.project)
    if as_json:
        write_document({"folder": str(location.project), "registries": list(allowed)})
        return
    key = "registries_allowed" if allowed else "registries_none"
    app.output.note(app.say(key, path=location.project, hosts=", ".join(allowed)))


def _keep_trust(location: RulesLocation, was_trusted: bool) -> None:
    # The person changed the file just now, so it stays trusted.
    if was_trusted:
        trust(location.home, location.project)
