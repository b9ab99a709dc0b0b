"""The child process that draws: right glyphs, nothing fetched, and never in the way for long."""

import asyncio
from typing import Any

import pytest

from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.charts.chart_theme import VEGA_LITE_SCHEMA, make_vega_config
from dataagent_core.tools.data.charts.svg_check import check_svg
from tests.services.tcp_server import tcp_server


def titled(title: str) -> dict[str, Any]:
    return {
        "$schema": VEGA_LITE_SCHEMA,
        "title": title,
        "data": {"values": [{"a": 1}]},
        "mark": "bar",
        "encoding": {"x": {"field": "a", "type": "quantitative"}},
        "config": make_vega_config(),
    }


async def png(renderer: Renderer, title: str) -> bytes:
    return (await renderer.draw(titled(title), ("png",)))["png"]


async def test_chinese_is_drawn_with_its_own_glyphs_and_not_as_boxes(renderer: Renderer):
    first, second = await png(renderer, "中"), await png(renderer, "国")
    assert first != second
    # What no font has is the same box for all, so that the line above can fail.
    assert await png(renderer, "\U0010fff0") == await png(renderer, "\U0010fff1")


async def test_a_pdf_carries_the_chinese_font(renderer: Renderer):
    pictures = await renderer.draw(titled("销售额"), ("pdf",))
    assert pictures["pdf"].startswith(b"%PDF-")
    assert b"NotoSansSC" in pictures["pdf"]


async def test_an_address_is_never_fetched(renderer: Renderer):
    fetched: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        fetched.append(await reader.readline())

    async with tcp_server(answer) as port:
        spec = {**titled("x"), "data": {"url": f"http://127.0.0.1:{port}/a.json"}}
        with pytest.raises(ValidationError, match="cannot be drawn"):
            await renderer.draw(spec, ("png",))
    assert fetched == []


async def test_a_spec_that_never_ends_is_stopped_and_the_next_one_is_drawn():
    renderer = Renderer(workers_max=1, draw_s=4)
    try:
        await renderer.draw(titled("warm"), ("svg",))
        endless = {
            **titled("x"),
            "transform": [{"filter": f"test(regexp('(a+)+$'), '{'a' * 60}b')"}],
        }
        with pytest.raises(ToolExecutionError, match=r"within 4 s and was stopped"):
            await renderer.draw(endless, ("png",))
        assert (await renderer.draw(titled("again"), ("png",)))["png"]
    finally:
        await renderer.aclose()


async def test_a_spec_that_eats_memory_loses_its_process_and_nothing_else():
    renderer = Renderer(workers_max=1, memory_bytes=750_000_000)
    try:
        greedy = {**titled("x"), "data": {"sequence": {"start": 0, "stop": 60_000_000, "as": "a"}}}
        with pytest.raises((ToolExecutionError, ValidationError)):
            await renderer.draw(greedy, ("png",))
        assert (await renderer.draw(titled("again"), ("png",)))["png"]
    finally:
        await renderer.aclose()


async def test_a_picture_of_too_many_pixels_is_refused_before_it_is_painted(renderer: Renderer):
    with pytest.raises(ValidationError, match="pixels large"):
        await renderer.draw({**titled("x"), "width": 50_000, "height": 5_000}, ("png",))


async def test_two_are_drawn_at_once_and_a_third_waits():
    renderer = Renderer(workers_max=2)
    try:
        drawn = await asyncio.gather(*(png(renderer, f"t{n}") for n in range(6)))
        assert len(set(drawn)) == 6
    finally:
        await renderer.aclose()


@pytest.mark.parametrize(
    "inner",
    [
        "<script>1</script>",
        '<image href="http://x/y.png"/>',
        '<rect onload="x()"/>',
        '<rect fill="url(http://x/#a)"/>',
        "<foreignObject/>",
        '<a href="javascript:x"><text>t</text></a>',
        "<style>@import 'x'</style>",
    ],
)
def test_an_svg_that_could_do_more_than_be_seen_is_refused(inner: str):
    with pytest.raises(ToolExecutionError):
        check_svg(f'<svg xmlns="http://www.w3.org/2000/svg">{inner}</svg>'.encode())


def test_an_svg_with_a_document_type_is_refused():
    with pytest.raises(ToolExecutionError):
        check_svg(b'<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>')
