"""One attempt to get past the guard, as data."""

from dataclasses import dataclass

from sql_data import Engine

# Stands in a file and in a table no catalogue lists; whoever reads it got too far.
CANARY = "CANARY-7f3a91"


@dataclass(frozen=True, slots=True)
class Evasion:
    """SQL and what it would do. `{canary}` is a file to read, `{out}` one that must not appear."""

    engine: Engine
    sql: str
    would: str

    def at(self, canary: str, out: str) -> str:
        """Write the SQL with the paths of this test."""
        return self.sql.replace("{canary}", canary).replace("{out}", out)
