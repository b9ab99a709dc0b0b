"""Notes what a chart does not show of a request: unknown words, unsupported kinds."""

import re
from typing import Final

from dataagent_core.config.limits.data import CHART_TEXT_CHARS_MAX
from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartFrame
from dataagent_core.tools.data.charts.request.intent_parser import split_title
from dataagent_core.tools.data.charts.request.named_columns import find_named_columns
from dataagent_core.tools.data.charts.request.vocabulary import (
    AGGREGATES,
    COLOUR_WORDS,
    GRAINS,
    KINDS,
    NOT_DRAWN,
    PERCENT,
    SIDE_BY_SIDE,
    TIME_WORDS,
    TOP,
)
from dataagent_core.tools.data.charts.spec_check.spec_grammar import split_grammar_words

_WORD = re.compile(r"[^\W_][\w'-]*")
_CHINESE_RUN = re.compile(r"[\u3400-\u9fff]+")
_WORDS_SHOWN_MAX = 8
_COLUMNS_SHOWN_MAX = 30
_EMPTY_WORDS: Final = split_grammar_words(
    """a an and are as at be both can chart charts color colored colour coloured column columns
    compare compared comparison data descending diagram display do down draw each every figure
    first for from give go graph graphic group grouped have how i in into is it its let like make
    many me my nice of on one or our out over per picture please plot plots put result row rows
    see show showing shown shows simple so sorted split stacked table than that the their them
    then these they this those through time to together use using value values versus visualise
    visualize vs want was we what which will with would you your against across by broken between
    highest largest biggest best relationship relation year month week day quarter hour years
    months weeks days quarters hours number numbers time-series timeseries series"""
)
_CHINESE_EMPTY: Final = re.compile(
    r"请|帮|我们|我|画出|画|绘制|绘|做|生成|制作|显示|展示|呈现|看看|看|查看|一下|一个|一张|一幅|"
    r"图表|图形|图|统计|情况|数据|结果|所有|全部|以及|还有|同时|分别|不同|之间|关系|比较|对比|各个|"
    r"每个|各|每|按照|根据|按|用|以|为|的|和|与|及|跟|随|时间|变化|分组|着色|堆叠|拆分|区分|在|中|"
    r"里|把|将|给|要|想|需要|可以|能|吗|呢|吧|是|有|到|从|对|成|出|来|个|名|位|年|月|日|天|周|季度|季|"
    r"小时|横轴|纵轴|轴|表示|形式|方式|降序|排序|从高到低|从大到小|最|多少|大小|值"
)


def make_unused_notes(words: str, frame: ChartFrame) -> list[str]:
    """Note what was requested and is not shown."""
    text, _ = split_title(words[:CHART_TEXT_CHARS_MAX])
    _, left = find_named_columns(text, frame)
    notes: list[str] = []
    for pattern, name in NOT_DRAWN:
        if re.search(pattern, left):
            notes.append(f"a {name} cannot be drawn here, so this is another chart")
            left = re.sub(pattern, " ", left)
    unknown = _find_unknown_words(left)
    if unknown:
        shown = ", ".join(repr(word) for word in unknown[:_WORDS_SHOWN_MAX])
        columns = ", ".join(frame.names[:_COLUMNS_SHOWN_MAX])
        notes.append(
            f"not understood and not used: {shown}; the columns are {columns}, and every row is "
            "drawn (filter in the query)"
        )
    return notes


def _find_unknown_words(left: str) -> list[str]:
    patterns = [pattern for table in (KINDS, AGGREGATES, GRAINS) for pattern, _ in table]
    patterns += [known.pattern for known in (PERCENT, SIDE_BY_SIDE, TOP, COLOUR_WORDS, TIME_WORDS)]
    for pattern in patterns:
        left = re.sub(pattern, " ", left)
    left = re.sub(r"\0+", " ", left)
    chinese = [
        run
        for whole in _CHINESE_RUN.findall(left)
        for run in _CHINESE_EMPTY.sub(" ", whole).split()
        if len(run) > 1
    ]
    latin = [
        word
        for word in _WORD.findall(_CHINESE_RUN.sub(" ", left))
        if word not in _EMPTY_WORDS and (len(word) > 2 or word.isdecimal())  # noqa: PLR2004 - "by"
    ]
    return list(dict.fromkeys([*latin, *chinese]))
