"""The words for what business data measures, in English and Chinese, as concepts.

A word has one or more readings, each a tuple of concepts; the first that a result has a column for
is meant. A column's name and the words of an answer are both reduced to concepts, so that
`refund_amount` is 退款金额 and "refunded". What a project calls its columns otherwise comes as
aliases from its catalogue and semantic model.
"""

import re

Reading = tuple[str, ...]

# What is counted, and what may have happened to it: "96 orders were cancelled" counts the second.
ENTITIES = frozenset({"order", "customer", "ticket", "unit", "employee", "visitor", "product"})
STATES = frozenset(
    {"return", "refund", "cancel", "resolve", "active", "leave", "new", "paid", "open", "lost"}
)
# Words of a column's name that say how it is measured and not what.
GENERIC = frozenset(
    {
        *("total", "sum", "count", "cnt", "num", "number", "no", "amount", "amt", "value", "val"),
        *("avg", "average", "mean", "of", "the", "per", "in", "by", "qty", "quantity", "all", "n"),
        *("usd", "eur", "cny", "rmb", "max", "min", "rate", "pct", "percent", "ratio", "overall"),
    }
)

_GROUPS: tuple[tuple[str, str], ...] = (
    (
        "revenue",
        "revenue turnover sales gmv mrr arr 销售额 营收 营业额 营业收入 销售收入 成交额 成交总额",
    ),
    ("profit", "profit profitability 利润 盈利"),
    ("cost", "cost expense expenditure spend spending spent 成本 费用 支出 花费"),
    ("order", "order ord 订单"),
    ("customer", "customer client buyer 客户 顾客 买家"),
    ("user", "user 用户"),
    ("visitor", "visitor uv visit 访客 访问"),
    ("view", "view pv pageview impression 浏览 曝光"),
    ("click", "click 点击"),
    ("return", "return returned 退货"),
    ("refund", "refund refunded 退款"),
    ("cancel", "cancel cancelled canceled cancellation cancelation 取消"),
    ("resolve", "resolve resolved resolution closed solved 解决 关闭"),
    ("open", "unresolved 未解决"),
    ("ticket", "ticket case 工单"),
    ("active", "active 活跃"),
    ("churn", "churn 流失"),
    ("conversion", "conversion 转化"),
    ("arpu", "arpu"),
    ("unit", "unit piece 销量 件数 销售量"),
    ("price", "price priced 单价 价格 售价"),
    ("stock", "stock inventory 库存"),
    ("rating", "rating rated score 评分 得分"),
    ("satisfaction", "satisfaction satisfied csat nps 满意"),
    ("hour", "hour hr 小时 工时"),
    ("duration", "duration 时长 耗时"),
    ("export", "export exported 出口"),
    ("import", "import imported 进口"),
    ("employee", "employee employ employs employed headcount staff worker 员工 职员 雇员"),
    ("salary", "salary wage pay payroll 薪资 工资 薪水 薪酬"),
    ("leave", "leaver left resignation resigned attrition 离职"),
    ("budget", "budget 预算"),
    ("discount", "discount 折扣 优惠"),
    ("tax", "tax 税 税额 税费"),
    ("weight", "weight 重量"),
    ("hectare", "hectare ha 公顷"),
    ("tonne", "tonne ton t 吨"),
    ("kilometre", "kilometre kilometer km 公里"),
    ("population", "population 人口"),
    ("area", "area land acreage 面积"),
    ("age", "age 年龄"),
    ("temperature", "temperature 温度 气温"),
    ("member", "member 会员"),
    ("registration", "registration registered signup 注册"),
    ("subscription", "subscription subscriber subscribed 订阅"),
    ("download", "download downloaded 下载"),
    ("installation", "install installed installation 安装"),
    ("comment", "comment 评论"),
    ("follower", "follower 粉丝"),
    ("shipment", "shipment shipped 发货"),
    ("delivery", "delivery delivered 交付 配送"),
    ("transaction", "transaction 交易"),
    ("deposit", "deposit 存款"),
    ("loan", "loan 贷款"),
    ("interest", "interest 利息"),
    ("investment", "investment invested 投资"),
    ("completion", "completion complete completed finish finished"),
    ("production", "production produced output 产量"),
    ("capacity", "capacity 产能"),
    ("emission", "emission emitted 排放"),
    ("complaint", "complaint complained 投诉"),
    ("defect", "defect defective 缺陷"),
    ("accident", "accident 事故"),
    ("student", "student 学生 在校生"),
    ("patient", "patient 患者"),
    ("admission", "admission admitted 入院"),
    ("readmission", "readmission readmitted 再入院"),
    ("discharge", "discharge discharged 出院"),
    ("absence", "absence absent 缺勤"),
    ("gross", "gross"),
    ("net", "net"),
    ("debt", "debt liability 负债 债务"),
    ("asset", "asset 资产"),
    ("balance", "balance 余额"),
    ("payment", "payment 付款 支付"),
    ("share", "份额"),
    ("new", "new 新增"),
    ("rate", "rate 率"),
)
# Words of several concepts, or of several readings.
_READINGS: dict[str, tuple[Reading, ...]] = {
    "margin": (("margin",), ("profit", "rate")),
    "利润率": (("margin",), ("profit", "rate")),
    "毛利率": (("gross", "margin"), ("margin",), ("gross", "profit", "rate"), ("profit", "rate")),
    "净利率": (("net", "margin"), ("margin",), ("net", "profit", "rate"), ("profit", "rate")),
    "毛利": (("gross", "profit"), ("profit",)),
    "销售额": (("revenue", "amount"), ("revenue",)),
    "销量": (("unit", "count"), ("unit",)),
    "销售量": (("unit", "count"), ("unit",)),
    "毛利润": (("gross", "profit"), ("profit",)),
    "净利": (("net", "profit"), ("profit",)),
    "净利润": (("net", "profit"), ("profit",)),
    "earnings": (("profit",), ("revenue",)),
    "income": (("income",), ("revenue",)),
    "收入": (("income",), ("revenue",)),
    "sales": (("revenue",), ("unit",)),
    "sale": (("revenue",), ("unit",)),
    "sold": (("unit",), ("sold",)),
    "卖出": (("unit", "count"), ("unit",), ("revenue",)),
    "售出": (("unit", "count"), ("unit",), ("revenue",)),
    "lost": (("lost",), ("lose",), ("loss",), ("churn",)),
    "cancelled": (("cancel",), ("churn",)),
    "canceled": (("cancel",), ("churn",)),
    "cancellation": (("cancel",), ("churn",)),
    "signed": (("sign",), ("registration",), ("new",)),
    "signing": (("sign",), ("registration",), ("new",)),
    "销售": (("revenue",), ("unit",)),
    "costs": (("cost",), ("price",), ("fee",)),
    "cost": (("cost",), ("price",), ("fee",)),
    "staff": (("employee",),),
    "人数": (("people",), ("employee",), ("user",)),
    "attrition": (("leave",), ("churn",)),
    "uv": (("uv",), ("visitor",)),
    "gmv": (("gmv",), ("revenue",)),
}
# One word for each way to measure.
_HOW = {
    **dict.fromkeys(("cnt", "num", "number", "qty", "quantity"), "count"),
    **dict.fromkeys(("amt", "value", "val"), "amount"),
    **dict.fromkeys(("avg", "mean"), "average"),
    **dict.fromkeys(("pct", "percent"), "rate"),
}
# What is not both: `sales_amount` is money, `sales_qty` is pieces.
CONTRADICTIONS = (frozenset({"unit", "amount"}), frozenset({"revenue", "count"}))
# Chinese words of a name that say how it is measured.
_GENERIC_ZH = {
    "总": "total", "数": "count", "量": "count", "数量": "count", "额": "amount", "金额": "amount",
    "总额": "total", "总数": "total", "合计": "total", "平均": "average", "均": "average",
    "人均": "average", "单数": "count", "笔数": "count", "占比": "ratio", "比例": "ratio",
    "最高": "max", "最低": "min",
}  # fmt: skip


def _load_readings() -> dict[str, tuple[Reading, ...]]:
    found: dict[str, tuple[Reading, ...]] = {}
    for concept, words in _GROUPS:
        for word in words.split():
            found[word] = ((concept,),)
    found |= _READINGS
    return found | {word: ((how,),) for word, how in (_GENERIC_ZH | _HOW).items()}


READINGS = _load_readings()
# All that a listed word can mean.
CONCEPTS = frozenset(
    concept for readings in READINGS.values() for one in readings for concept in one
) - (GENERIC | {"share", "new", "gross", "net"})


# Measures that talk about programs or in general seldom names.
_BUSINESS = frozenset(
    {
        *(
            "revenue",
            "profit",
            "order",
            "customer",
            "visitor",
            "click",
            "refund",
            "cancel",
            "churn",
        ),
        *("conversion", "arpu", "gmv", "price", "stock", "salary", "employee", "margin", "income"),
        *("subscription", "shipment", "delivery", "transaction", "deposit", "loan", "complaint"),
        *("defect", "accident", "student", "patient", "admission", "discharge", "production"),
        *("population", "absence", "satisfaction", "registration", "cost", "discount", "tax"),
        *("payment", "debt", "asset", "budget"),
    }
)


def names_business(text: str) -> bool:
    """Say whether a folded text names what business data measures."""
    # Not the parts of an identifier: customer_id.
    words = re.findall(r"(?<![a-z_])[a-z]+(?![a-z_])", text)
    english = (list_readings(word) for word in words)
    if any(_BUSINESS.issuperset(one) for readings in english for one in readings):
        return True
    return any(
        word in text and any(set(one) & _BUSINESS for one in readings)
        for word, readings in READINGS.items()
        if not word.isascii()
    )


def is_generic(name: str) -> bool:
    """Say whether a column's name only says how something is measured: `n`, `total`, 数量."""
    words = [word for word in re.split(r"[\W_]+", name.lower()) if word]
    return all(word in GENERIC or word in _GENERIC_ZH for word in words)


def list_readings(word: str) -> tuple[Reading, ...]:
    """Say what a folded word can mean; a word that is not listed means itself, in the singular."""
    for form in _list_forms(word):
        if form in READINGS:
            return READINGS[form]
    return ((_make_singular(word),),)


def _list_forms(word: str) -> tuple[str, ...]:
    forms = [word]
    for ending, instead in (("'s", ""), ("ies", "y"), ("es", ""), ("s", ""), ("ed", ""), ("d", "")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            forms.append(word.removesuffix(ending) + instead)
    return tuple(forms)


def _make_singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004 (dies, lies)
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word  # noqa: PLR2004
