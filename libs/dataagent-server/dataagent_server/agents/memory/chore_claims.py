"""Of several server processes, the one that claims a chore first does it for all.

A claim ends by itself, so the chore of a process that died is taken over. What is done twice all
the same, because it took longer than its claim, must be harmless.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, or_, update

from dataagent_server.db.tables.chores import chore_claims as table
from dataagent_server.db.upsert import insert_ignore

# A claim that ends later than any can was made by a clock that was wrong.
_CLAIM_MAX: Final = timedelta(days=2)


def claim(connection: Connection, name: str, now: datetime, until: datetime) -> bool:
    """Claim a chore until a moment; False where somebody has it."""
    if insert_ignore(connection, table, {"name": name, "until": until}) == 1:
        return True
    is_free = or_(table.c.until <= now, table.c.until > now + _CLAIM_MAX)
    mine = update(table).where(table.c.name == name, is_free).values(until=until)
    return connection.execute(mine).rowcount == 1


def extend(connection: Connection, name: str, until: datetime, new_until: datetime) -> bool:
    """Move the end of a claim that was made until a moment; False where somebody else has it."""
    mine = update(table).where(table.c.name == name, table.c.until == until)
    return connection.execute(mine.values(until=new_until)).rowcount == 1


def release(connection: Connection, name: str, now: datetime, until: datetime) -> None:
    """Give back a claim that was made until a moment."""
    extend(connection, name, until, now)
