"""`serve`: also offered as `dataagent serve` through the entry point group `dataagent.commands`."""

import click


@click.command()
@click.option("--host", help="Address to listen at; 127.0.0.1 by default.")
@click.option("--port", type=int, help="Port to listen at; 8000 by default, 0 takes a free one.")
@click.option("--workers", type=int, help="Processes that serve the address; 1 by default.")
@click.option("--sample", is_flag=True, help="Bring the sample warehouse along, as source `shop`.")
def serve(host: str | None, port: int | None, workers: int | None, *, sample: bool) -> int:
    """Start the server: REST, WebSocket and server-sent events."""
    from dataagent_server.cli.serve.start import serve as start

    given = {"host": host, "port": port, "workers": workers}
    return start({name: value for name, value in given.items() if value is not None}, sample=sample)
