"""Compiles metrics by dimensions into SQL in the source's dialect.

Expressions of the files are parsed and their columns qualified with their dataset; filter values
are literals. The guard checks the SQL like any other. Datasets are joined from many to one only:
the other way a row would be counted once for each partner, and every sum would be wrong.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp

from dataagent_core.errors import ConfigurationError, NotFoundError, QueryRefusedError
from dataagent_core.tools.data.data_model import Dialect
from dataagent_core.tools.data.semantic.metric_lookup import find_metrics
from dataagent_core.tools.data.semantic.metric_query import Filter, MetricQuery
from dataagent_core.tools.data.semantic.semantic_model import (
    Dataset,
    Dimension,
    Metric,
    Relation,
    SemanticModel,
)
from dataagent_core.tools.data.semantic.time_grain import TimeGrain, truncate_time
from dataagent_core.tools.definition.name_suggestions import describe_unknown_name

# They aggregate their first argument and ignore NULL.
_FILTERABLE = (
    exp.Count,
    exp.Sum,
    exp.Avg,
    exp.Min,
    exp.Max,
    exp.Median,
    exp.Stddev,
    exp.StddevPop,
    exp.StddevSamp,
    exp.Variance,
    exp.VariancePop,
    exp.ApproxDistinct,
    exp.GroupConcat,
)
_COMPARISONS: dict[str, Any] = {
    "=": exp.EQ,
    "!=": exp.NEQ,
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
    "like": exp.Like,
}


@dataclass(frozen=True, slots=True)
class _LocatedDimension:
    dataset: Dataset
    dimension: Dimension


def compile_metrics(model: SemanticModel, query: MetricQuery, dialect: Dialect) -> str:
    """Compile a query into SQL."""
    metrics = find_metrics(model, query.metrics)
    base = model.dataset(metrics[0].dataset)
    located_by_name = {name: _find_dimension(model, base, name) for name in query.dimensions}
    filtered = [(one, _find_dimension(model, base, one.dimension)) for one in query.filters]
    select = exp.select().from_(_make_table(base))
    for index, (name, located) in enumerate(located_by_name.items(), 1):
        group = _make_group_expression(located, query.grain, dialect)
        select = select.select(exp.alias_(group, name, quoted=True))
        # By number: engines differ on an alias that is also a column name.
        select = select.group_by(exp.Literal.number(index)) if metrics else select
    for metric in metrics:
        select = select.select(
            exp.alias_(_make_aggregate(metric, base, dialect), metric.name, quoted=True)
        )
    for relation in list_query_relations(model, query):
        select = select.join(
            _make_table(model.dataset(relation.one)),
            on=_make_join_condition(relation),
            join_type="left",
        )
    for one, located in filtered:
        select = select.where(_make_condition(one, _make_expression(located, dialect)))
    if query.top is not None:
        last = exp.Literal.number(len(located_by_name) + 1)
        select = select.order_by(exp.Ordered(this=last, desc=True, nulls_first=False))
        select = select.limit(query.top)
    elif located_by_name:
        select = select.order_by(*(exp.Literal.number(i + 1) for i in range(len(located_by_name))))
    return select.sql(dialect=dialect, comments=False)


def list_query_relations(model: SemanticModel, query: MetricQuery) -> list[Relation]:
    """List the relations a query joins over, nearest to the metrics first."""
    base = model.dataset(find_metrics(model, query.metrics)[0].dataset)
    names = [*query.dimensions, *(one.dimension for one in query.filters)]
    reached = dict.fromkeys(_find_dimension(model, base, name).dataset.name for name in names)
    return _list_joins(model, base, [name for name in reached if name != base.name])


def build_duplicate_key_sql(model: SemanticModel, relation: Relation, dialect: Dialect) -> str:
    """Write the SQL that finds a duplicate key on the one side of a relation."""
    keys = [exp.column(name, table=relation.one, quoted=True) for name in relation.on.values()]
    # NULL joins nothing.
    known = [exp.not_(exp.Is(this=key.copy(), expression=exp.null())) for key in keys]
    count = exp.Count(this=exp.Star())
    return (
        exp.select(exp.alias_(count, "doubled", quoted=True))
        .from_(_make_table(model.dataset(relation.one)))
        .where(*known)
        .group_by(*keys)
        .having(exp.GT(this=count.copy(), expression=exp.Literal.number(1)))
        .limit(1)
        .sql(dialect=dialect, comments=False)
    )


def _find_dimension(model: SemanticModel, base: Dataset, name: str) -> _LocatedDimension:
    """Find a dimension by its name or a synonym, in the metric's own dataset first."""
    wanted_dataset, _, bare = name.rpartition(".")
    found = [
        _LocatedDimension(dataset, dimension)
        for dataset in model.datasets
        for dimension in dataset.dimensions
        if bare in (dimension.name, *dimension.synonyms)
        and (not wanted_dataset or wanted_dataset == dataset.name)
        and dataset.source == base.source
    ]
    own = [located for located in found if located.dataset.name == base.name]
    chosen = own or found
    if not chosen:
        known = [d.name for dataset in model.datasets for d in dataset.dimensions]
        problem = f"There is no dimension {name!r:.100}."
        raise NotFoundError(
            *describe_unknown_name(problem, bare, known, "data_search_catalog lists them.")
        )
    if len(chosen) > 1:
        names = " or ".join(
            f"{located.dataset.name}.{located.dimension.name}" for located in chosen
        )
        raise QueryRefusedError(f"{name!r} is more than one dimension: say {names}.")
    return chosen[0]


def _list_joins(model: SemanticModel, base: Dataset, names: list[str]) -> list[Relation]:
    needed: dict[str, Relation] = {}
    for name in names:
        for relation in find_join_path(model, base.name, name):
            other = needed.setdefault(relation.one, relation)
            if other != relation:
                raise QueryRefusedError(
                    f"{relation.one!r} would be joined in two ways. Ask with SQL instead."
                )
    return list(needed.values())


def find_join_path(model: SemanticModel, start: str, end: str) -> tuple[Relation, ...]:
    """Return the shortest path of relations; two equally short paths are refused."""
    pending: deque[tuple[str, tuple[Relation, ...]]] = deque([(start, ())])
    seen = {start}
    found_paths: list[tuple[Relation, ...]] = []
    while pending:
        dataset, path = pending.popleft()
        if found_paths and len(path) >= len(found_paths[0]):
            break
        for relation in model.relations:
            if relation.many != dataset:
                continue
            longer_path = (*path, relation)
            if relation.one == end:
                found_paths.append(longer_path)
            elif relation.one not in seen:
                seen.add(relation.one)
                pending.append((relation.one, longer_path))
    shortest = [path for path in found_paths if len(path) == len(found_paths[0])]
    if not shortest:
        raise QueryRefusedError(
            f"{end!r} cannot be joined to {start!r} without counting rows twice: there is no "
            "relation from many to one that leads there. Use a dimension of another dataset."
        )
    if len(shortest) > 1:
        raise QueryRefusedError(
            f"There are {len(shortest)} ways from {start!r} to {end!r}. Ask with SQL "
            "instead, and say which one is meant."
        )
    return shortest[0]


def _make_table(dataset: Dataset) -> exp.Expr:
    parts = (dataset.table or dataset.name).split(".")
    named = exp.table_(parts[-1], db=parts[-2] if len(parts) > 1 else None, quoted=True)
    return exp.alias_(named, dataset.name, table=True, quoted=True)


def _make_join_condition(relation: Relation) -> exp.Expr:
    return exp.and_(
        *(
            exp.EQ(
                this=exp.column(left, table=relation.many, quoted=True),
                expression=exp.column(right, table=relation.one, quoted=True),
            )
            for left, right in relation.on.items()
        )
    )


def _parse_expression(sql: str, dataset: Dataset, dialect: Dialect, what: str) -> exp.Expr:
    try:
        parsed = sqlglot.parse_one(sql, dialect=dialect)
    except sqlglot.ParseError as error:
        raise ConfigurationError(
            f"The expression of {what} is not SQL: {sql!r:.200}. {error}"
        ) from None

    def qualify(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and not node.table:
            return exp.column(node.this.copy(), table=exp.to_identifier(dataset.name, quoted=True))
        return node

    return parsed.transform(qualify)


def _make_expression(located: _LocatedDimension, dialect: Dialect) -> exp.Expr:
    dimension, dataset = located.dimension, located.dataset
    if dimension.expr is None:
        return exp.column(dimension.name, table=dataset.name, quoted=True)
    return _parse_expression(dimension.expr, dataset, dialect, f"dimension {dimension.name!r}")


def _make_group_expression(
    located: _LocatedDimension, grain: TimeGrain | None, dialect: Dialect
) -> exp.Expr:
    expression = _make_expression(located, dialect)
    if grain is None or located.dimension.type != "time":
        return expression
    return sqlglot.parse_one(
        truncate_time(grain, expression.sql(dialect=dialect), dialect), dialect=dialect
    )


def _make_aggregate(metric: Metric, dataset: Dataset, dialect: Dialect) -> exp.Expr:
    what = f"metric {metric.name!r}"
    aggregate = _parse_expression(metric.expr, dataset, dialect, what)
    if aggregate.find(exp.AggFunc) is None:
        raise ConfigurationError(f"The expression of {what} adds nothing up: {metric.expr!r:.200}.")
    if metric.filter is None:
        return aggregate
    condition = _parse_expression(metric.filter, dataset, dialect, what)

    def add_condition(node: exp.Expr) -> exp.Expr:
        # CASE instead of FILTER, which MySQL does not have.
        if not isinstance(node, exp.AggFunc):
            return node
        if not isinstance(node, _FILTERABLE):
            raise ConfigurationError(
                f"The filter of {what} cannot be put into {node.sql(dialect=dialect)!r:.100}. "
                "Leave the filter out and write the condition into the expression, with CASE."
            )
        inner = exp.Literal.number(1) if isinstance(node.this, exp.Star) else node.this
        if isinstance(inner, exp.Distinct):
            each = [_make_case(condition, target) for target in inner.expressions]
            return type(node)(**{**node.args, "this": exp.Distinct(expressions=each)})
        return type(node)(**{**node.args, "this": _make_case(condition, inner)})

    return aggregate.transform(add_condition)


def _make_case(condition: exp.Expr, target: exp.Expr) -> exp.Expr:
    return exp.Case().when(condition.copy(), target.copy())


def _make_condition(one: Filter, column: exp.Expr) -> exp.Expr:
    values = one.value if isinstance(one.value, list) else [one.value]
    literals = [exp.convert(value) for value in values if value is not None]
    # Nothing equals NULL in SQL; a comparison with null tests for a missing value.
    missing = exp.Is(this=column, expression=exp.null())
    has_null = len(literals) < len(values)
    match one.op, literals:
        case "is null", _:
            return missing
        case (("=" | "in"), []) if has_null:
            return missing
        case (("!=" | "not in"), []) if has_null:
            return exp.not_(missing)
        case (("in" | "not in"), [_, *_]):
            found = exp.In(this=column.copy(), expressions=literals)
            found = exp.or_(found, missing) if has_null else found
            return found if one.op == "in" else exp.not_(found)
        case _ if has_null:
            raise QueryRefusedError(
                f"The filter {one.dimension} {one.op} does not take null: nothing is {one.op} it."
            )
        case "between", [low, high]:
            return exp.Between(this=column, low=low, high=high)
        case (("=" | "!=" | "<" | "<=" | ">" | ">=" | "like"), [value]):
            return _COMPARISONS[one.op](this=column, expression=value)
        case _:
            raise QueryRefusedError(
                f"The filter {one.dimension} {one.op} does not take {one.value!r:.100}: between "
                "takes two values, in a list, the others one."
            )
