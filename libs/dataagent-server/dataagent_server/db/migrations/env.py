"""What Alembic runs: the scripts, over the connection that `db/migrate.py` holds."""

from alembic import context

from dataagent_server.db.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=False,  # the transaction is the caller's
)
context.run_migrations()
