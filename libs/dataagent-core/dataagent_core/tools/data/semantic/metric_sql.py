"""Metrics by dimensions, as SQL in the source's dialect.

Expressions of the files are parsed and their columns tied to their dataset; values of filters are
literals. What comes out still passes the guard like any other SQL.
"""

from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp

from dataagent_core.errors import ConfigurationError, NotFoundError, QueryRefusedError
from dataagent_core.tools.data.data_model import Dialect
from dataagent_core.tools.data.semantic.join_path import find_join_path
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


@dataclass(frozen=True, slots=True)
class _DatasetPlace:
    dataset: Dataset
    dimension: Dimension


def compile_metrics(model: SemanticModel, query: MetricQuery, dialect: Dialect) -> str:
    """Write the SQL."""
    metrics = find_metrics(model, query.metrics)
    base = model.dataset(metrics[0].dataset)
    places = {name: _place(model, base, name) for name in query.dimensions}
    filtered = [(one, _place(model, base, one.dimension)) for one in query.filters]
    select = exp.select().from_(_table(base))
    for index, (name, place) in enumerate(places.items(), 1):
        grouped = _grouped(place, query.grain, dialect)
        select = select.select(exp.alias_(grouped, name, quoted=True))
        # By number: an alias of a column's own name is read differently by each engine.
        select = select.group_by(exp.Literal.number(index)) if metrics else select
    for metric in metrics:
        select = select.select(
            exp.alias_(_aggregate(metric, base, dialect), metric.name, quoted=True)
        )
    for relation in list_query_relations(model, query):
        select = select.join(
            _table(model.dataset(relation.one)), on=_on(relation), join_type="left"
        )
    for one, place in filtered:
        select = select.where(_condition(one, _expression(place, dialect)))
    if query.top is not None:
        last = exp.Literal.number(len(places) + 1)
        select = select.order_by(exp.Ordered(this=last, desc=True, nulls_first=False))
        select = select.limit(query.top)
    elif places:
        select = select.order_by(*(exp.Literal.number(i + 1) for i in range(len(places))))
    return select.sql(dialect=dialect, comments=False)


def list_query_relations(model: SemanticModel, query: MetricQuery) -> list[Relation]:
    """List what a query joins over, in the order it leads away from the metrics."""
    base = model.dataset(find_metrics(model, query.metrics)[0].dataset)
    names = [*query.dimensions, *(one.dimension for one in query.filters)]
    reached = dict.fromkeys(_place(model, base, name).dataset.name for name in names)
    return _joins(model, base, [name for name in reached if name != base.name])


def build_duplicate_key_sql(model: SemanticModel, relation: Relation, dialect: Dialect) -> str:
    """Write the SQL that finds a row where a relation's one row is two."""
    keys = [exp.column(name, table=relation.one, quoted=True) for name in relation.on.values()]
    # What is NULL joins nothing.
    known = [exp.not_(exp.Is(this=key.copy(), expression=exp.null())) for key in keys]
    count = exp.Count(this=exp.Star())
    return (
        exp.select(exp.alias_(count, "doubled", quoted=True))
        .from_(_table(model.dataset(relation.one)))
        .where(*known)
        .group_by(*keys)
        .having(exp.GT(this=count.copy(), expression=exp.Literal.number(1)))
        .limit(1)
        .sql(dialect=dialect, comments=False)
    )


def _place(model: SemanticModel, base: Dataset, name: str) -> _DatasetPlace:
    """Find a dimension by its name or a synonym: the metric's own dataset first."""
    wanted_dataset, _, bare = name.rpartition(".")
    found = [
        _DatasetPlace(dataset, dimension)
        for dataset in model.datasets
        for dimension in dataset.dimensions
        if bare in (dimension.name, *dimension.synonyms)
        and (not wanted_dataset or wanted_dataset == dataset.name)
        and dataset.source == base.source
    ]
    own = [place for place in found if place.dataset.name == base.name]
    chosen = own or found
    if not chosen:
        known = [d.name for dataset in model.datasets for d in dataset.dimensions]
        problem = f"There is no dimension {name!r:.100}."
        raise NotFoundError(
            *describe_unknown_name(problem, bare, known, "data_search_catalog lists them.")
        )
    if len(chosen) > 1:
        names = " or ".join(f"{place.dataset.name}.{place.dimension.name}" for place in chosen)
        raise QueryRefusedError(f"{name!r} is more than one dimension: say {names}.")
    return chosen[0]


def _joins(model: SemanticModel, base: Dataset, names: list[str]) -> list[Relation]:
    needed: dict[str, Relation] = {}
    for name in names:
        for relation in find_join_path(model, base.name, name):
            other = needed.setdefault(relation.one, relation)
            if other != relation:
                raise QueryRefusedError(
                    f"{relation.one!r} would be joined in two ways. Ask with SQL instead."
                )
    # In the order they lead away from the base.
    return list(needed.values())


def _table(dataset: Dataset) -> exp.Expr:
    parts = (dataset.table or dataset.name).split(".")
    named = exp.table_(parts[-1], db=parts[-2] if len(parts) > 1 else None, quoted=True)
    return exp.alias_(named, dataset.name, table=True, quoted=True)


def _on(relation: Relation) -> exp.Expr:
    return exp.and_(
        *(
            exp.EQ(
                this=exp.column(left, table=relation.many, quoted=True),
                expression=exp.column(right, table=relation.one, quoted=True),
            )
            for left, right in relation.on.items()
        )
    )


def _parsed(sql: str, dataset: Dataset, dialect: Dialect, what: str) -> exp.Expr:
    try:
        parsed = sqlglot.parse_one(sql, dialect=dialect)
    except sqlglot.ParseError as error:
        raise ConfigurationError(
            f"The expression of {what} is not SQL: {sql!r:.200}. {error}"
        ) from None

    def tied(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and not node.table:
            return exp.column(node.this.copy(), table=exp.to_identifier(dataset.name, quoted=True))
        return node

    return parsed.transform(tied)


def _expression(place: _DatasetPlace, dialect: Dialect) -> exp.Expr:
    dimension, dataset = place.dimension, place.dataset
    if dimension.expr is None:
        return exp.column(dimension.name, table=dataset.name, quoted=True)
    return _parsed(dimension.expr, dataset, dialect, f"dimension {dimension.name!r}")


def _grouped(place: _DatasetPlace, grain: TimeGrain | None, dialect: Dialect) -> exp.Expr:
    expression = _expression(place, dialect)
    if grain is None or place.dimension.type != "time":
        return expression
    return sqlglot.parse_one(
        truncate_time(grain, expression.sql(dialect=dialect), dialect), dialect=dialect
    )


def _aggregate(metric: Metric, dataset: Dataset, dialect: Dialect) -> exp.Expr:
    what = f"metric {metric.name!r}"
    aggregate = _parsed(metric.expr, dataset, dialect, what)
    if aggregate.find(exp.AggFunc) is None:
        raise ConfigurationError(f"The expression of {what} adds nothing up: {metric.expr!r:.200}.")
    if metric.filter is None:
        return aggregate
    condition = _parsed(metric.filter, dataset, dialect, what)

    def narrowed(node: exp.Expr) -> exp.Expr:
        # CASE instead of FILTER, which MySQL does not have.
        if not isinstance(node, exp.AggFunc):
            return node
        if not isinstance(node, _NARROWED):
            raise ConfigurationError(
                f"The filter of {what} cannot be put into {node.sql(dialect=dialect)!r:.100}. "
                "Leave the filter out and write the condition into the expression, with CASE."
            )
        inner = exp.Literal.number(1) if isinstance(node.this, exp.Star) else node.this
        if isinstance(inner, exp.Distinct):
            each = [_when(condition, target) for target in inner.expressions]
            return type(node)(**{**node.args, "this": exp.Distinct(expressions=each)})
        return type(node)(**{**node.args, "this": _when(condition, inner)})

    return aggregate.transform(narrowed)


def _when(condition: exp.Expr, target: exp.Expr) -> exp.Expr:
    return exp.Case().when(condition.copy(), target.copy())


def _condition(one: Filter, column: exp.Expr) -> exp.Expr:
    values = one.value if isinstance(one.value, list) else [one.value]
    literals = [exp.convert(value) for value in values if value is not None]
    # Nothing equals NULL in SQL; who compares with it asks whether something is there.
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


# Their first argument is what they add up, and they pass over NULL.
_NARROWED = (
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
