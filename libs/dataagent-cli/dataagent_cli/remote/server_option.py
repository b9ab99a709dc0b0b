"""Resolves `--server` to a server and its key."""

from dataagent_cli.remote.address import RemoteServer, parse_url
from dataagent_cli.remote.logins import logins_of
from dataagent_cli.wiring import App
from dataagent_core.errors import ValidationError

# The value of `--server` without an address: the last login.
LAST = ""


def choose_server(app: App, given: str, *, insecure: bool) -> RemoteServer:
    """Return a server and the key for it.

    The key of a login comes before that of the settings: a key for one server is not sent to
    another that the person has a key for.
    """
    logins = logins_of(app.settings)
    if given == LAST:
        last = logins.last
        if last is None:
            raise ValidationError(app.say("remote_no_login"))
        # The login allowed this address already.
        return RemoteServer(last, logins.key(last))
    url = parse_url(given, app.say, insecure=True)
    key = logins.key(url)
    if key is None:
        # There is no login for it, so the rules of a login apply.
        url = parse_url(given, app.say, insecure=insecure)
        key = app.settings.api_key.get_secret_value() if app.settings.api_key else None
    return RemoteServer(url, key)
