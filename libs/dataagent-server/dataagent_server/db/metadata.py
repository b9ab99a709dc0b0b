"""The metadata of all tables; every constraint has a name, so that a migration can refer to it."""

from typing import Any

from sqlalchemy import MetaData, Table, event

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


@event.listens_for(Table, "after_parent_attach")
def _set_mysql_options(table: Table, parent: Any) -> None:
    """Set what a MySQL server might default to Latin-1 and MyISAM."""
    if parent is metadata:
        options = {"engine": "InnoDB", "charset": "utf8mb4", "collate": "utf8mb4_bin"}
        table.kwargs.update({f"mysql_{name}": value for name, value in options.items()})
