"""`dataagent-server migrate`: bring the database's schema up to date."""

import click


@click.command()
def migrate() -> None:
    """Bring the database's schema up to date; safe to repeat, and while others do the same."""
    import asyncio

    from dataagent_server.cli.serve.texts import say
    from dataagent_server.db.migrate import migrate as migrate_database
    from dataagent_server.db.urls import database_url
    from dataagent_server.settings import ServerSettings

    settings = ServerSettings()
    asyncio.run(migrate_database(settings.effective_database_url))
    click.echo(say("migrated", database=str(database_url(settings.effective_database_url))))
