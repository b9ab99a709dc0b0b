"""What is said in the guided demo, in each language it can be asked in."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoWords:
    """One language. `{{result:0}}` and `{{result:1}}` are the ids of the two results."""

    prompt: str
    plan: tuple[str, str, str]
    thought: str
    begins: str
    by_category: str
    by_month: str
    chart: str
    report: str
    report_title: str
    heading_category: str
    heading_month: str
    counted_once: str
    note: str
    note_file: str
    # A line of the note, and what takes its place.
    leads: str
    note_edit: str
    leads_in_full: str
    answer: str


ENGLISH = DemoWords(
    prompt="Which product categories of our shop earned most in 2025, and how did revenue go month "
    "by month? Draw a chart, write a report I can send on, and a short note in /note.md.",
    plan=("Look at the tables", "Query revenue", "Chart, report and note"),
    thought="Revenue is quantity times price; the category is in products.",
    begins="I will plan this first, and look at what there is.",
    by_category="Revenue by category.",
    by_month="Now month by month.",
    chart="A chart of the year.",
    report="And the report.",
    report_title="Revenue of the shop in 2025",
    heading_category="By category",
    heading_month="By month",
    counted_once="Some order numbers stand twice in the table of orders; each counts once.",
    note="A short note beside it.",
    note_file="# Shop, 2025\n\nGrocery leads. See the report.\n",
    leads="Grocery leads.",
    note_edit="The note deserves figures.",
    leads_in_full="Grocery leads with 28,793,332.28, Books come last with 21,500,918.97.",
    answer="""\
In 2025 **Grocery** earned most, **Books** least [{{result:0}}]:

| category | revenue |
|---|--:|
| Grocery | 28,793,332.28 |
| Toys | 26,591,598.39 |
| Garden | 25,984,055.01 |
| Electronics | 25,584,641.37 |
| Home | 25,107,356.34 |
| Sports | 24,649,162.64 |
| Books | 21,500,918.97 |

By month, revenue went from 9,577,062.15 in January to 17,546,532.51 in December [{{result:1}}]. \
The chart is below `/charts`, the report below `/reports`.

Some order numbers stand twice in `orders`; I counted each once. The shop is made up, the queries, \
the approval and the files are real: every figure above was traced to a result.
""",
)

CHINESE = DemoWords(
    prompt="我们商店 2025 年哪些商品类别收入最高,各月收入走势如何?"
    "请画一张图表,写一份可以转发的报告,并在 /note.md 中写一条简短的笔记。",
    plan=("查看数据表", "查询收入", "图表、报告和笔记"),
    thought="收入等于数量乘以单价;类别在 products 表中。",
    begins="我先做个计划,再看看有哪些数据。",
    by_category="按类别统计收入。",
    by_month="接着按月统计。",
    chart="全年的图表。",
    report="然后是报告。",
    report_title="商店 2025 年收入",
    heading_category="按类别",
    heading_month="按月",
    counted_once="订单表中有些订单号出现了两次,每个只计一次。",
    note="再附上一条简短的笔记。",
    note_file="# 商店,2025 年\n\nGrocery 领先。详见报告。\n",
    leads="Grocery 领先。",
    note_edit="笔记里应该有数字。",
    leads_in_full="Grocery 以 28,793,332.28 领先,Books 以 21,500,918.97 居末。",
    answer="""\
2025 年 **Grocery** 收入最高,**Books** 最低 [{{result:0}}]:

| 类别 | 收入 |
|---|--:|
| Grocery | 28,793,332.28 |
| Toys | 26,591,598.39 |
| Garden | 25,984,055.01 |
| Electronics | 25,584,641.37 |
| Home | 25,107,356.34 |
| Sports | 24,649,162.64 |
| Books | 21,500,918.97 |

按月看,收入从 1 月的 9,577,062.15 增长到 12 月的 17,546,532.51 [{{result:1}}]。\
图表在 `/charts` 中,报告在 `/reports` 中。

`orders` 中有些订单号出现了两次,我每个只计一次。商店是虚构的,查询、审批和文件都是真实的:\
以上每个数字都能追溯到一个结果。
""",
)
