"""`dataagent login` and `dataagent logout`: servers to work with instead of this machine."""

import click

_INSECURE = "Send the key in the clear, to a server without https."


@click.command()
@click.argument("url", required=False)
@click.option("--insecure", is_flag=True, help=_INSECURE)
def login(url: str | None, insecure: bool) -> int:
    """Sign in to a server with an API key, to use it with `--server`.

    The key is asked for, or read from DATAAGENT_API_KEY or standard input, and kept sealed.
    """
    import asyncio

    from dataagent_cli import wiring
    from dataagent_cli.remote.login import log_in

    return asyncio.run(log_in(wiring.start(), url, insecure=insecure))


@click.command()
@click.argument("url", required=False)
def logout(url: str | None) -> int:
    """Forget the key of a server, the last one when none is named."""
    from dataagent_cli import wiring
    from dataagent_cli.remote.login import log_out

    return log_out(wiring.start(), url)
