"""A spec somebody else wrote: what fetches, listens or asks for too much is refused."""

import json
from typing import Any

import pytest
from drawn_results import keep
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartFrame, read_frame
from dataagent_core.tools.data.charts.spec_check.spec_check import check_spec
from dataagent_core.tools.data.results import FolderResultStore
from tests.counts import examples

XY: dict[str, Any] = {"x": {"field": "city"}, "y": {"field": "sales"}}
PLAIN: dict[str, Any] = {"mark": "bar", "encoding": XY}


@pytest.fixture
async def frame(results: FolderResultStore) -> ChartFrame:
    columns = {"city": ["a", "b"], "sales": [1, 2], "unit.price": [1.5, 2.5]}
    kept = await keep(results, columns)
    return await read_frame(results, kept.result_id)


HOSTILE: dict[str, dict[str, Any]] = {
    "data by url": {**PLAIN, "data": {"url": "http://127.0.0.1/x.csv"}},
    "data of its own": {**PLAIN, "data": {"values": [{"city": "z", "sales": 9}]}},
    "named datasets": {**PLAIN, "datasets": {"d": []}},
    "data in a layer": {"layer": [{**PLAIN, "data": {"url": "file:///etc/passwd"}}]},
    "a lookup": {**PLAIN, "transform": [{"lookup": "city", "from": {"data": {"url": "x"}}}]},
    "a lookup beside a filter": {**PLAIN, "transform": [{"filter": "true", "lookup": "city"}]},
    "an image": {"mark": {"type": "image", "url": "http://x/y.png"}, "encoding": XY},
    "an image channel": {"mark": "point", "encoding": {**XY, "url": {"value": "http://x/y.png"}}},
    "a link": {"mark": "bar", "encoding": {**XY, "href": {"field": "city"}}},
    "a link of a mark": {"mark": {"type": "bar", "href": "javascript:alert(1)"}, "encoding": XY},
    "a map": {"mark": "geoshape", "encoding": XY},
    "a colour that fetches": {"mark": {"type": "bar", "fill": "url(http://x/#a)"}, "encoding": XY},
    "a background that fetches": {**PLAIN, "background": "URL (http://x)"},
    "a parameter": {**PLAIN, "params": [{"name": "p", "bind": {"input": "range"}}]},
    "a signal": {**PLAIN, "width": {"signal": "1e9"}},
    "an expression for a value": {"mark": {"type": "bar", "size": {"expr": "1"}}, "encoding": XY},
    "an expression deep inside": {
        "mark": "bar",
        "encoding": {**XY, "color": {"condition": {"param": "p", "value": "red"}, "value": "blue"}},
    },
    "user metadata": {**PLAIN, "usermeta": {"embedOptions": {"loader": {}}}},
    "a generated sequence": {**PLAIN, "transform": [{"sequence": {"start": 0, "stop": 1e12}}]},
    "imputed keys": {
        "mark": "bar",
        "encoding": {**XY, "y": {"field": "sales", "impute": {"keyvals": {"stop": 1e12}}}},
    },
    "a function that reads data": {**PLAIN, "transform": [{"filter": "data('x').length > 0"}]},
    "a regular expression": {**PLAIN, "transform": [{"filter": "test(/(a+)+$/, datum.city)"}]},
    "a pattern by function": {**PLAIN, "transform": [{"calculate": "regexp('(a+)+$')", "as": "z"}]},
    "a global": {**PLAIN, "transform": [{"calculate": "event.x", "as": "z"}]},
    "a prototype": {**PLAIN, "transform": [{"calculate": "datum.constructor", "as": "z"}]},
    "a computed index": {**PLAIN, "transform": [{"calculate": "datum['a'+'b']", "as": "z"}]},
    "a filter hidden in a list": {**PLAIN, "transform": [{"filter": {"and": ["now() > 1"]}}]},
    "a label that reads more": {
        "mark": "bar",
        "encoding": {**XY, "x": {"field": "city", "axis": {"labelExpr": "warn(datum.label)"}}},
    },
    "a long formula": {**PLAIN, "transform": [{"calculate": "1+" * 400 + "1", "as": "z"}]},
    "many formulas": {**PLAIN, "transform": [{"calculate": "1", "as": f"z{n}"} for n in range(30)]},
    "a giant": {**PLAIN, "width": 1_000_000},
    "giant steps": {**PLAIN, "height": {"step": 100_000}},
    "a wrong shape": {"mark": "bar", "encoding": [1, 2]},
    "a wrong list": {"layer": {"mark": "bar"}},
    "an unknown part": {**PLAIN, "onload": "x"},
    "an unknown channel": {"mark": "bar", "encoding": {"xx": {"field": "city"}}},
    "an unknown transform": {**PLAIN, "transform": [{"geoshape": "x"}]},
    "an unknown mark": {"mark": "script", "encoding": XY},
    "nothing as a mark": {"mark": {"type": None}, "encoding": XY},
    "a repeat": {"repeat": ["city"], "spec": PLAIN},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_spec_is_refused_with_a_sentence(frame: ChartFrame, name: str):
    with pytest.raises(ValidationError, match=r"\.$"):
        check_spec(HOSTILE[name], frame)


def test_a_spec_too_large_or_too_deep_is_refused(frame: ChartFrame):
    deep: Any = 1
    for _ in range(40):
        deep = {"a": deep}
    wide = {**PLAIN, "description": "x" * 60_000}
    many = {**PLAIN, "encoding": {"x": {"field": "city", "sort": list(range(3_000))}}}
    for spec in ({**PLAIN, "config": deep}, wide, many):
        with pytest.raises(ValidationError, match="possible"):
            check_spec(spec, frame)


def test_a_field_that_is_no_column_is_answered_with_the_nearest(frame: ChartFrame):
    spec = {"mark": "bar", "encoding": {"x": {"field": "citty"}}}
    with pytest.raises(ValidationError, match="Did you mean 'city'"):
        check_spec(spec, frame)


HONEST: dict[str, dict[str, Any]] = {
    "plain": PLAIN,
    "an object mark": {"mark": {"type": "line", "point": True, "tooltip": True}, "encoding": XY},
    "sums": {
        "mark": "bar",
        "encoding": {"x": {"field": "city"}, "y": {"aggregate": "sum", "field": "sales"}},
    },
    "a count": {
        "mark": "bar",
        "encoding": {"x": {"bin": True, "field": "sales"}, "y": {"aggregate": "count"}},
    },
    "a calculated column": {
        "transform": [
            {"calculate": "datum.sales * 2 + max(1, datum['unit.price'])", "as": "twice"}
        ],
        "mark": "point",
        "encoding": {"x": {"field": "city"}, "y": {"field": "twice", "type": "quantitative"}},
    },
    "filters": {
        "transform": [{"filter": {"and": ["datum.sales > 1", {"field": "city", "oneOf": ["a"]}]}}],
        **PLAIN,
    },
    "a window": {
        "transform": [{"window": [{"op": "lag", "param": 1, "field": "sales", "as": "before"}]}],
        "mark": "line",
        "encoding": {"x": {"field": "city"}, "y": {"field": "before", "type": "quantitative"}},
    },
    "folded columns": {
        "transform": [{"fold": ["sales", "unit.price"]}],
        "mark": "bar",
        "encoding": {
            "x": {"field": "key", "type": "nominal"},
            "y": {"field": "value", "type": "quantitative"},
        },
    },
    "layers": {"layer": [PLAIN, {"mark": "text", "encoding": {**XY, "text": {"field": "sales"}}}]},
    "panels": {
        "facet": {"field": "city", "columns": 2},
        "spec": {"mark": "bar", "encoding": {"y": {"field": "sales"}}},
    },
    "rows of panels": {"hconcat": [PLAIN, PLAIN]},
    "a regression": {
        "layer": [
            {"mark": "point", "encoding": {"x": {"field": "sales"}, "y": {"field": "unit.price"}}},
            {
                "mark": "line",
                "transform": [{"regression": "unit.price", "on": "sales"}],
                "encoding": {"x": {"field": "sales"}, "y": {"field": "unit.price"}},
            },
        ]
    },
    "conditions": {
        "mark": "bar",
        "encoding": {
            **XY,
            "color": {"condition": {"test": "datum.sales > 1", "value": "red"}, "value": "grey"},
        },
    },
    "config and title": {
        **PLAIN,
        "title": {"text": "A", "subtitle": "b"},
        "config": {"bar": {"color": "teal"}},
    },
    "sorted": {
        "mark": "bar",
        "encoding": {"x": {"field": "city", "sort": "-y"}, "y": {"field": "sales"}},
    },
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_spec_is_taken(frame: ChartFrame, name: str):
    assert check_spec(HONEST[name], frame).columns


async def test_what_is_taken_can_be_drawn(frame: ChartFrame, renderer: Renderer):
    for spec in HONEST.values():
        checked = check_spec(spec, frame)
        columns = {name: frame.field(name).cells for name in checked.columns}
        rows = [{name: cells[n] for name, cells in columns.items()} for n in range(frame.row_count)]
        pictures = await renderer.draw({**checked.spec, "data": {"values": rows}}, ("png",))
        assert pictures["png"].startswith(b"\x89PNG")


def test_a_columns_kind_is_filled_in_where_the_spec_does_not_say(frame: ChartFrame):
    checked = check_spec(PLAIN, frame)
    assert checked.spec["encoding"]["y"]["type"] == "quantitative"
    assert checked.spec["encoding"]["x"]["type"] == "nominal"
    assert PLAIN["encoding"]["y"] == {"field": "sales"}


def test_only_the_columns_a_spec_names_are_taken_along(frame: ChartFrame):
    checked = check_spec(PLAIN, frame)
    assert checked.columns == ["city", "sales"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "mark",
                    "encoding",
                    "x",
                    "field",
                    "data",
                    "url",
                    "transform",
                    "layer",
                    "filter",
                    "as",
                    "type",
                ]
            )
            | st.text(max_size=6),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    value=st.dictionaries(
        st.sampled_from(["mark", "encoding", "transform", "layer", "facet", "spec", "title"]), JSON
    )
)
def test_any_json_is_either_taken_without_data_and_urls_or_refused(
    frame: ChartFrame, value: dict[str, Any]
):
    try:
        checked = check_spec(value, frame)
    except ValidationError:
        return
    text = json.dumps(checked.spec)
    assert '"data":' not in text
    assert '"url":' not in text
