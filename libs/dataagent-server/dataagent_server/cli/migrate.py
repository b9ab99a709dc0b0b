"""`dataagent-server migrate`: bring the database's schema up to date."""

import click


@click.command()
def migrate() -> None:
    """Bring the database's schema up to date; safe to repeat, and while others do the same."""
    import asyncio
    import os

    from dataagent_server.db.migrate import migrate as migrate_database
    from dataagent_server.db.urls import database_url
    from dataagent_server.serving.texts import Messages, language_of
    from dataagent_server.settings import ServerSettings

    settings = ServerSettings()
    say = Messages(language_of(settings.language, os.environ))
    asyncio.run(migrate_database(settings.effective_database_url))
    click.echo(say("migrated", database=str(database_url(settings.effective_database_url))))
