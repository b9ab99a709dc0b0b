"""Tables with random schemas, and random SELECTs over them, written for one engine.

The same seed gives the same tables and queries. Names are such as people give: with spaces, in
other letters, reserved words. What a query means does not matter, only that an engine runs it.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sql_data import Engine

from dataagent_core.tools.data.data_model import Catalogue, Column, ColumnKind, Table

Kind = Literal["int", "text", "real"]
_KINDS: tuple[Kind, ...] = ("int", "text", "real")
_TYPES: dict[Kind, str] = {"int": "integer", "text": "varchar(40)", "real": "double precision"}
_COLUMN_KINDS: dict[Kind, ColumnKind] = {"int": "integer", "text": "text", "real": "float"}
_PLAIN = ("amount", "qty", "city", "price", "note", "owner_id", "code", "kind_of")
_ODD = ("Order No", "select", "größe", "数量", "CamelCase", "group", "a.b", "it's", "from")
_TEXTS = ("", "a", "B", "it's", "münchen", "上海", "x%y_z", "-- no comment", "/* none */")


@dataclass(frozen=True)
class Made:
    """A table, or a query in FROM: its alias and its columns with their kinds."""

    name: str
    columns: tuple[tuple[str, Kind], ...]


class RandomSQL:
    """Writes tables and queries for one engine."""

    def __init__(self, seed: int, engine: Engine) -> None:
        self.engine: Engine = engine
        self._random = random.Random(seed)
        self._seed = seed
        self._aliases = 0
        names = self._random.sample((*_PLAIN, *_ODD), 3)
        # Other tables of the same seed and engine come from other tests.
        self.tables = tuple(self._table(f"{name} {seed}") for name in names)

    def _table(self, name: str) -> Made:
        names = self._random.sample((*_PLAIN, *_ODD), self._random.randint(3, 6))
        kinds = ("int", "text", *self._random.choices(_KINDS, k=len(names) - 2))
        return Made(name, tuple(zip(names, kinds, strict=True)))

    def statements(self) -> Iterator[str]:
        for table in self.tables:
            columns = ", ".join(f"{self._quoted(n)} {_TYPES[k]}" for n, k in table.columns)
            charset = " DEFAULT CHARSET utf8mb4" if self.engine == "mysql" else ""
            yield f"CREATE TABLE {self._quoted(table.name)} ({columns}){charset}"
            rows = [
                ", ".join(self._value(kind) for _, kind in table.columns)
                for _ in range(self._random.randint(1, 12))
            ]
            values = ", ".join(f"({row})" for row in rows)
            yield f"INSERT INTO {self._quoted(table.name)} VALUES {values}"

    def drops(self) -> Iterator[str]:
        return (f"DROP TABLE {self._quoted(table.name)}" for table in self.tables)

    def catalogue(self) -> Catalogue:
        schema = "public" if self.engine == "postgres" else ""
        tables = tuple(
            Table(
                name=table.name,
                schema=schema,
                columns=tuple(
                    Column(name=name, type=_TYPES[kind], kind=_COLUMN_KINDS[kind])
                    for name, kind in table.columns
                ),
            )
            for table in self.tables
        )
        return Catalogue(
            dialect=self.engine, tables=tables, fingerprint=str(self._seed), default_schema=schema
        )

    def query(self) -> str:
        if self._chance(0.2):
            inner = self._select(self._kinds(), 1)
            name = self._alias()
            made = Made(name, inner[1])
            text, _ = self._select(self._kinds(), 1, (*self.tables, made))
            return f"WITH {self._quoted(name)} AS ({inner[0]}) {text}"
        kinds = self._kinds()
        text, _ = self._select(kinds, 2)
        if self._chance(0.25):
            operator = self._one("UNION", "UNION ALL", "EXCEPT", "INTERSECT")
            other, _ = self._select(kinds, 1)
            text = f"{text} {operator} {other}"
        return text + self._tail(len(kinds))

    def _kinds(self) -> list[Kind]:
        return self._random.choices(_KINDS, k=self._random.randint(1, 4))

    def _tail(self, width: int) -> str:
        if self._chance(0.5):
            return ""
        order = ", ".join(f"{n}{self._one('', ' DESC')}" for n in range(1, width + 1))
        limit = f" LIMIT {self._random.randint(0, 9)}" if self._chance(0.6) else ""
        offset = f" OFFSET {self._random.randint(0, 3)}" if limit and self._chance(0.4) else ""
        return f"{self._one(' ', chr(10))}ORDER BY {order}{limit}{offset}"

    def _select(
        self, kinds: list[Kind], deep: int, known: tuple[Made, ...] | None = None
    ) -> tuple[str, tuple[tuple[str, Kind], ...]]:
        """Write a SELECT of columns of these kinds; give the names of those that have one."""
        sources, text = self._from(deep, known or self.tables)
        grouped = self._chance(0.35)
        items, named, keys = list[str](), list[tuple[str, Kind]](), list[str]()
        for kind in kinds:
            if grouped and self._chance(0.5):
                item = self._aggregate(kind, sources)
            elif grouped:
                item = self._column(kind, sources)
                keys.append(item)
            else:
                item = self._value_of(kind, sources, deep)
            # A subquery's columns are all named, for who selects from it.
            if deep < 2 or self._chance(0.6):
                alias = self._alias()
                named.append((alias, kind))
                item = f"{item}{self._one(' AS ', ' ')}{self._quoted(alias)}"
            items.append(item)
        distinct = "DISTINCT " if not grouped and self._chance(0.2) else ""
        where = f" WHERE {self._condition(sources, deep)}" if self._chance(0.5) else ""
        group = f" GROUP BY {', '.join(keys)}" if keys else ""
        having = " HAVING COUNT(*) > 1" if group and self._chance(0.3) else ""
        # Not right after an item: SQLite makes a comment a part of the column's name.
        comment = self._one("", "", " /* why */", " -- why\n")
        return (
            f"SELECT {distinct}{', '.join(items)} FROM{comment} {text}{where}{group}{having}",
            tuple(named),
        )

    def _from(self, deep: int, known: tuple[Made, ...]) -> tuple[list[Made], str]:
        first, text = self._source(deep, known)
        sources = [first]
        for _ in range(self._random.choice((0, 0, 1, 1, 2))):
            made, joined = self._source(deep, known)
            sources.append(made)
            join = self._one("JOIN", "INNER JOIN", "LEFT JOIN", "CROSS JOIN", "RIGHT JOIN")
            on = ""
            if join != "CROSS JOIN":
                left, right = self._column("int", sources[:-1]), self._column("int", [made])
                on = f" ON {left} {self._one('=', '=', '<', '>=')} {right}"
            text = f"{text} {join} {joined}{on}"
        return sources, text

    def _source(self, deep: int, known: tuple[Made, ...]) -> tuple[Made, str]:
        alias = self._alias()
        if deep > 0 and self._chance(0.25):
            text, columns = self._select(["int", *self._kinds()], deep - 1)
            return Made(alias, columns), f"({text}) AS {self._quoted(alias)}"
        table = self._random.choice(known)
        name = self._quoted(table.name)
        return Made(alias, table.columns), f"{name}{self._one(' AS ', ' ')}{self._quoted(alias)}"

    def _column(self, kind: Kind, sources: list[Made]) -> str:
        found = [(made, name) for made in sources for name, k in made.columns if k == kind]
        if not found:
            return self._value(kind)
        made, name = self._random.choice(found)
        return f"{self._quoted(made.name)}.{self._named(name)}"

    def _aggregate(self, kind: Kind, sources: list[Made]) -> str:
        column = self._column(kind, sources)
        match kind:
            case "text":
                return f"{self._one('MIN', 'max')}({column})"
            case "int":
                return self._one("COUNT(*)", f"COUNT(DISTINCT {column})", f"SUM({column})")
            case "real":
                return f"{self._one('AVG', 'Min', 'MAX')}({column})"

    def _value_of(self, kind: Kind, sources: list[Made], deep: int) -> str:
        column = self._column(kind, sources)
        choice = self._random.random()
        if choice < 0.4:
            return column
        if choice < 0.5 and deep > 0:
            inner, text = self._from(0, self.tables)
            return f"(SELECT MAX({self._column(kind, inner)}) FROM {text})"
        if choice < 0.65:
            when = self._condition(sources, 0)
            return f"CASE WHEN {when} THEN {column} ELSE {self._value(kind)} END"
        other = self._column(kind, sources)
        match kind:
            case "text":
                return self._one(
                    f"UPPER({column})",
                    f"coalesce({column}, {other})",
                    f"REPLACE({column}, 'a', '''')",
                )
            case "int":
                key = self._column("text", sources)
                return self._one(
                    f"{column} + {other}*2-{self._random.randint(1, 9)}",
                    f"LENGTH({key})",
                    f"COUNT(*) OVER (PARTITION BY {key})",
                    f"SUM({column}) OVER (ORDER BY {column}, {other})",
                )
            case "real":
                return self._one(
                    f"{column} / 4",
                    f"ABS({column} - {other})",
                    f"({column} - 1e3)*1.5e-1 + {other}",
                )

    def _condition(self, sources: list[Made], deep: int) -> str:
        kind = self._random.choice(_KINDS)
        column, other = self._column(kind, sources), self._column(kind, sources)
        made = self._one(
            f"{column} {self._one('=', '<>', '<', '>=')} {other}",
            f"{column} IS {self._one('NULL', 'NOT NULL')}",
            f"{column} IN ({self._value(kind)}, {self._value(kind)})",
            f"{column} BETWEEN {self._value(kind)} AND {self._value(kind)}",
            f"{self._column('text', sources)} LIKE '%{self._one('a', 'it', '_')}%'",
        )
        if deep > 0 and self._chance(0.2):
            inner, text = self._from(0, self.tables)
            chosen = self._column(kind, inner)
            made = self._one(
                f"{column} IN (SELECT {chosen} FROM {text})",
                f"EXISTS (SELECT 1 FROM {text} WHERE {chosen} = {column})",
            )
        if self._chance(0.3):
            made = f"NOT ({made})"
        return f"{made} {self._one('AND', 'OR')} 1 = 1" if self._chance(0.2) else made

    def _value(self, kind: Kind) -> str:
        if self._chance(0.1):
            return "NULL"
        match kind:
            case "int":
                return str(self._random.randint(-20, 20))
            case "real":
                return self._one("0.5", "-1.25", "2e2", "3.0")
            case "text":
                return "'" + self._random.choice(_TEXTS).replace("'", "''") + "'"

    def _alias(self) -> str:
        self._aliases += 1
        return f"{self._one('x', 'Y', 'zwölf', 'a b', '表', 'order')}{self._aliases}"

    def _named(self, name: str) -> str:
        """Write a column's name, without quotes where that is the same."""
        return name if name in _PLAIN and self._chance(0.5) else self._quoted(name)

    def _quoted(self, name: str) -> str:
        mark = "`" if self.engine == "mysql" else '"'
        return f"{mark}{name}{mark}"

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _one(self, *texts: str) -> str:
        return self._random.choice(texts)
