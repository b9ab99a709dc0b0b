"""Reads a whole query: clauses that read, subqueries, and UNION."""

from dataclasses import dataclass
from typing import Final

from dataagent_core.memory.graph.neo4j.query.cypher_reader import quote
from dataagent_core.memory.graph.neo4j.query.pattern_syntax import CypherPatterns

_READS: Final = "MATCH, OPTIONAL MATCH, UNWIND, WITH and RETURN"
_CLAUSES: Final = ("MATCH", "OPTIONAL", "UNWIND", "WITH")
_COLUMN_CHARS_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class TranslatedQuery:
    """A query written anew: its parameters are besides `$scopes`."""

    text: str
    parameters: dict[str, object]


class CypherClauses(CypherPatterns):
    """Clauses."""

    def translate(self) -> TranslatedQuery:
        """Read the query to its end and write it anew."""
        text = self._union()
        self.take_sign(";")
        if self.peek().kind != "end":
            raise self.refuse(f"a query has only {_READS}, and UNION between two of them")
        return TranslatedQuery(text, self.parameters)

    def subquery(self, *, needs_return: bool) -> str:
        with self.deeper():
            if self.peek().is_word(*_CLAUSES, "RETURN"):
                text = self._clauses(needs_return=needs_return)
            elif needs_return:
                raise self.refuse("COLLECT needs a query with RETURN")
            else:
                pattern = self.patterns()
                text = f"MATCH {pattern.text} {self.where(pattern)}"
            self.expect_sign("}")
            return text

    def _union(self) -> str:
        text = self._clauses(needs_return=True)
        while self.take_word("UNION"):
            word = "UNION ALL" if self.take_word("ALL") else "UNION"
            text = f"{text} {word} {self._clauses(needs_return=True)}"
        return text

    def _clauses(self, *, needs_return: bool) -> str:
        parts: list[str] = []
        while self.peek().is_word(*_CLAUSES):
            parts.append(self._clause())
        if self.take_word("RETURN"):
            parts.append(f"RETURN {self._projection(is_last=True)}")
        elif needs_return:
            raise self.refuse(f"a query reads only, with {_READS}")
        return " ".join(parts)

    def _clause(self) -> str:
        if self.take_word("UNWIND"):
            text = self.expression()
            self.expect_word("AS")
            return f"UNWIND {text} AS {self.expect_variable()}"
        if self.take_word("WITH"):
            text = f"WITH {self._projection(is_last=False)}"
            return f"{text} WHERE {self.expression()}" if self.take_word("WHERE") else text
        word = "OPTIONAL MATCH" if self.take_word("OPTIONAL") else "MATCH"
        self.expect_word("MATCH")
        pattern = self.patterns()
        return f"{word} {pattern.text} {self.where(pattern)}"

    def _projection(self, *, is_last: bool) -> str:
        text = "DISTINCT " if self.take_word("DISTINCT") else ""
        items: list[str] = []
        while not items or self.take_sign(","):
            items.append(self._item(is_last=is_last))
        text += ", ".join(items)
        if self.take_word("ORDER", "BY"):
            orders: list[str] = []
            while not orders or self.take_sign(","):
                orders.append(self.expression() + self._direction())
            text += f" ORDER BY {', '.join(orders)}"
        for word in ("SKIP", "LIMIT"):
            if self.take_word(word):
                text += f" {word} {self.expect_count(f'the number of {word}')}"
        return text

    def _item(self, *, is_last: bool) -> str:
        if self.peek().is_sign("*"):
            raise self.refuse("name what is returned instead of *")
        first = self.peek()
        text = self.expression()
        if self.take_word("AS"):
            return f"{text} AS {self.expect_variable()}"
        if is_last:
            return f"{text} AS {self._column(first.start, text)}"
        if text != quote(first.value):
            raise self.refuse("an expression in WITH needs a name, with AS")
        return text

    def _column(self, start: int, text: str) -> str:
        """Name a column by what stands in the query, as Neo4j does."""
        if text == "count(*)":
            # As it is called where the graph is in an SQL database.
            return "`count`"
        source = " ".join(self.query[start : self.peek(-1).end].split())[:_COLUMN_CHARS_MAX]
        return quote(source.strip("`").replace("\\", "/").replace("\0", ""))

    def _direction(self) -> str:
        if self.take_word("DESC") or self.take_word("DESCENDING"):
            return " DESC"
        _ = self.take_word("ASC") or self.take_word("ASCENDING")
        return ""


def translate_query(query: str) -> TranslatedQuery:
    """Write a query anew, of the caller's scopes alone; refuse one that does anything but read."""
    return CypherClauses(query).translate()
