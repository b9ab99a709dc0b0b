"""`dataagent login` and `logout`: a key is checked with its server before it is stored."""

import sys
from contextlib import aclosing

from dataagent_cli.output import exit_codes
from dataagent_cli.remote.address import RemoteServer, parse_url
from dataagent_cli.remote.client import ServerClient
from dataagent_cli.remote.failures import NotSignedInError
from dataagent_cli.remote.handshake import hello
from dataagent_cli.remote.limits import KEY_CHARS_MAX
from dataagent_cli.remote.logins import Logins, logins_of
from dataagent_cli.wiring import App
from dataagent_core.errors import NotFoundError, ValidationError


async def log_in(app: App, given: str | None, *, insecure: bool) -> int:
    """Read the person's key for a server, check it there, and store it."""
    logins = logins_of(app.settings)
    url = _choose_url(app, given, logins, insecure=insecure)
    key = await _read_key(app, url)
    async with aclosing(ServerClient(RemoteServer(url, key), app.say)) as client:
        try:
            met = await hello(client, app.say)
        except NotSignedInError as error:
            raise NotSignedInError(app.say("remote_key_refused", url=url)) from error
    logins.keep(url, key)
    if met.notice:
        app.output.note(met.notice, fg="yellow")
    app.output.note(app.say("remote_signed_in", url=url, user=met.user_id, tenant=met.tenant_id))
    app.output.note(app.say("remote_next"), dim=True)
    return exit_codes.DONE


def log_out(app: App, given: str | None) -> int:
    """Delete the key of a server; at the server it stays valid."""
    logins = logins_of(app.settings)
    url = _choose_url(app, given, logins, insecure=True)
    if not logins.forget(url):
        raise NotFoundError(app.say("remote_no_such_login", url=url))
    app.output.note(app.say("remote_signed_out", url=url))
    return exit_codes.DONE


def _choose_url(app: App, given: str | None, logins: Logins, *, insecure: bool) -> str:
    if given is not None:
        return parse_url(given, app.say, insecure=insecure)
    last = logins.last
    if last is None:
        raise ValidationError(app.say("remote_which"))
    return last


async def _read_key(app: App, url: str) -> str:
    if app.settings.api_key is not None:
        app.output.note(app.say("remote_key_from", source=app.settings.source_of("api_key")))
        return _check_key(app, app.settings.api_key.get_secret_value())
    if sys.stdin.isatty() and app.output.err_is_terminal:
        from dataagent_cli.setup.plain_prompter import PlainPrompter

        ask = PlainPrompter(sys.stdin.fileno(), app.output, app.say)
        return _check_key(app, await ask.secret(app.say("remote_key", url=url)) or "")
    return _check_key(app, _read_piped_key(app))


def _read_piped_key(app: App) -> str:
    from dataagent_cli.run import piped_input as piped

    descriptor = piped.standard_input()
    if descriptor is None or not piped.is_piped(descriptor):
        raise ValidationError(app.say("remote_no_key"))
    try:
        found = piped.read_piped(descriptor, KEY_CHARS_MAX, app.say)
    except piped.SilentPipeError:
        found = None
    return "" if found is None else found.text


def _check_key(app: App, text: str) -> str:
    key = text.strip()
    if not key:
        raise ValidationError(app.say("remote_no_key"))
    if len(key) > KEY_CHARS_MAX or not key.isascii() or not key.isprintable() or " " in key:
        raise ValidationError(app.say("remote_bad_key"))
    return key
