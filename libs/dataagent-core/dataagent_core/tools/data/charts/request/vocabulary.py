"""The English and Chinese words by which a request names kinds, aggregates, grains and the rest."""

import re
from typing import Final

from dataagent_core.tools.data.charts.chart_model import Aggregate, ChartGrain, ChartKind

KINDS: Final[tuple[tuple[str, ChartKind], ...]] = (
    (r"\bbox[- ]?(?:and[- ]whiskers?[- ]?)?(?:plots?|charts?)?\b|箱[线型形须]?图?|盒须", "box"),
    (r"histograms?|distribution|直方|分布", "histogram"),
    (r"scatter|\bpoints?\b|correlat|散点|相关", "point"),
    (r"\bpies?\b|donut|doughnut|饼图?|环形图?", "pie"),
    (r"heat ?map|热力", "heatmap"),
    (r"\bareas?\b|面积", "area"),
    (r"\blines?\b|trend|over time|折线|趋势|走势", "line"),
    (r"\bbars?\b|\bcolumns? charts?|ranking|\btop \d+|柱|条形|排名|对比", "bar"),
)
# Kinds people ask for that are not drawn; the chart that is drawn instead says so.
NOT_DRAWN: Final[tuple[tuple[str, str], ...]] = (
    (r"radar|spider chart|雷达", "radar chart"),
    (r"tree ?map|矩形树|树图", "treemap"),
    (r"funnel|漏斗", "funnel chart"),
    (r"gauge|仪表", "gauge"),
    (r"sankey|桑基", "Sankey diagram"),
    (r"waterfall|瀑布", "waterfall chart"),
    (r"candle ?stick|k线", "candlestick chart"),
    (r"bubble|气泡", "bubble chart"),
    (r"violin|小提琴", "violin plot"),
    (r"sunburst|旭日", "sunburst chart"),
    (r"word ?cloud|词云", "word cloud"),
    (r"gantt|甘特", "Gantt chart"),
    (r"(?<!heat )(?<!heat)\bmaps?\b|choropleth|地图", "map"),
    (r"\b3-?d\b|三维|立体", "3D chart"),
    (r"log(?:arithmic)? (?:scale|axis)|对数", "logarithmic axis"),
    (r"dual[- ]axis|two axes|second(?:ary)? axis|双轴|双y轴|次坐标", "second axis"),
)
AGGREGATES: Final[tuple[tuple[str, Aggregate], ...]] = (
    (r"\baverages?\b|\bmean\b|\bavg\b|平均|均值", "mean"),
    (r"\bmedian\b|中位", "median"),
    (r"\bmax(imum)?\b|最大|最高", "max"),
    (r"\bmin(imum)?\b|最小|最低", "min"),
    (r"\bhow many\b|\bnumber of\b|\bcounts?\b|数量|个数|笔数|行数", "count"),
    (r"\bsum\b|\btotal\b|合计|总和|总额", "sum"),
)
GRAINS: Final[tuple[tuple[str, ChartGrain], ...]] = (
    (r"\b(per|by|each|every) hour|hourly|每小时|按小时", "hour"),
    (r"\b(per|by|each|every) day|daily|每[天日]|按[天日]", "day"),
    (r"\b(per|by|each|every) week(?!day)|weekly|每周|按周", "week"),
    (r"\b(per|by|each|every) month|monthly|每月|各月|按月", "month"),
    (r"\b(per|by|each|every) quarter|quarterly|每季|各季|按季", "quarter"),
    (r"\b(per|by|each|every) year|yearly|annual|每年|各年|按年", "year"),
)
_OPEN, _CLOSED = "\"'\u201c\u201d\u2018\u2019「『《", "\"'\u201c\u201d\u2018\u2019」』》"
_QUOTED: Final = rf"[{_OPEN}]([^{_CLOSED}]{{1,200}})[{_CLOSED}]"
TITLE: Final = re.compile(
    rf"[,\uff0c;\uff1b]?\s*(?:\b(?:with|and|under)\s+)?(?:\b(?:a|the)\s+)?"
    rf"(?:\b(?:titled?|entitled|called|headed)\b(?:\s+(?:it|is|as|of))?|\bheadline\b|标题|题目|题为)"
    rf"\s*(?:为|是|叫|用|[:\uff1a=])?\s*"
    rf"(?:{_QUOTED}|(?<=[:\uff1a=为是叫])\s*([^,\uff0c;\uff1b。\n]{{1,200}})"
    rf"|(?<=titled )([^,;\n]{{1,200}}))",
    re.IGNORECASE,
)
PERCENT: Final = re.compile(
    r"%|\bper ?cent(?:age)?s?\b|\bshares?\b|\bproportions?\b|\bnormali[sz]ed\b"
    r"|占比|百分|比例|份额|比重"
)
SIDE_BY_SIDE: Final = re.compile(
    r"\bgrouped (?:bar|column)|clustered|side[- ]by[- ]side|簇状|并排|并列|分组柱"
)
TOP: Final = re.compile(
    r"\btop (\d+|three|five|ten|twenty)\b|\b(\d+) (?:largest|biggest|highest|best)\b"
    r"|\b(?:largest|biggest|highest|best) (\d+)\b"
    r"|前\s*(\d+|[一二三五十]{1,2})\s*[名个位大]?|最[高大多]的?\s*(\d+)\s*[名个位]"
)
COLOUR_WORDS: Final = re.compile(
    r"\b(?:colou?red|split|broken down|stacked|grouped) by |\bfor each |\bone line (?:per|for) "
    r"|按(?=[^按]*(?:分组|着色|堆叠|拆分|区分))"
)
# At the end of what stands before a column's name.
BY_WORDS: Final = re.compile(r"(?:\b(?:by|per|over|across|for each)|[按各每])\Z")
COMPARE_WORDS: Final = re.compile(r"\b(?:against|vs\.?|versus)\Z")
TIME_WORDS: Final = re.compile(
    r"\bover time\b|\btrends?\b|\bdevelop|\bevolution\b|趋势|走势|随时间|变化"
)

_COUNTS: Final = {
    "three": 3, "five": 5, "ten": 10, "twenty": 20,
    "三": 3, "五": 5, "十": 10, "十五": 15, "二十": 20, "三十": 30, "五十": 50,
}  # fmt: skip


def parse_count(text: str) -> int | None:
    """Read a count that is written as digits or as a word."""
    return int(text) if text.isdecimal() else _COUNTS.get(text)
