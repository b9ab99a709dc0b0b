"""Which server `--server` means, and with which key."""

from dataagent_cli.remote.address import RemoteServer, parse_url
from dataagent_cli.remote.logins import logins_of
from dataagent_cli.wiring import App
from dataagent_core.errors import ValidationError

# What `--server` is without an address: the one the person signed in to last.
LAST = ""


def choose_server(app: App, given: str, *, insecure: bool) -> RemoteServer:
    """Name a server and the key for it.

    The key of a login counts before that of the settings: a key for one server is not sent to
    another that the person has a key for.
    """
    logins = logins_of(app.settings)
    if given == LAST:
        last = logins.last
        if last is None:
            raise ValidationError(app.say("remote_no_login"))
        # Whoever signed in there has allowed what it is.
        return RemoteServer(last, logins.key(last))
    url = parse_url(given, app.say, insecure=True)
    key = logins.key(url)
    if key is None:
        # Nothing was kept for it, so what holds for a login holds here.
        url = parse_url(given, app.say, insecure=insecure)
        key = app.settings.api_key.get_secret_value() if app.settings.api_key else None
    return RemoteServer(url, key)
