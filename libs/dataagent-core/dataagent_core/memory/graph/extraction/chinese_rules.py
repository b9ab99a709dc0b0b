"""How relations are said in Chinese. A clause ends at its comma. Pure."""

import re
from typing import Final

from dataagent_core.memory.graph.extraction.extraction import (
    DATE,
    ORGANISATION,
    PERSON,
    PLACE,
)
from dataagent_core.memory.graph.extraction.relation_rule import RelationRule

_BREAK: Final = r"\uff0c,。\uff1b\uff1a:"
_MARKS: Final = rf"{_BREAK}\uff01!\uff1f?\uff08(\uff09)"
_WHO: Final = rf"(?P<s>[^\s{_BREAK}的了在是不从]{{1,12}}?)"
_ALSO: Final = r"(?:现在|目前|一直|已经|也|都|还|其实|最近|刚|又|平时|主要|曾经|从小就)?"
_WHAT: Final = rf"(?P<o>[^{_MARKS}]{{1,30}}?)"
_STOP: Final = rf"(?=[{_MARKS}了呢啊呀吧]|但是|因为|所以|而且|不过|$)"


def _chinese(middle: str, end: str = "") -> re.Pattern[str]:
    return re.compile(f"(?:^|[{_BREAK}])\\s*{_WHO}{_ALSO}{middle}{_WHAT}{end}{_STOP}")


CHINESE_RULES: Final = (
    RelationRule("工作于", _chinese("(?:不再|已经不|不)在", "(?:工作|上班|任职)"), PERSON,
                 ORGANISATION, ends=True),
    RelationRule("工作于", _chinese("(?:从)", "(?:离职|辞职)"), PERSON, ORGANISATION, ends=True),
    RelationRule("工作于", _chinese("在", "(?:工作|上班|任职|就职)"), PERSON, ORGANISATION),
    RelationRule("工作于", _chinese("(?:加入了|加入|入职了|入职|就职于|任职于)"), PERSON,
                 ORGANISATION),
    RelationRule("住在", _chinese("(?:不再住在|不住在|以前住在)"), PERSON, PLACE, ends=True),
    RelationRule("住在", _chinese("(?:居住在|住在|搬到了|搬到|搬去了|搬去|定居在)"), PERSON, PLACE),
    RelationRule("来自", _chinese("(?:来自|老家在)"), PERSON, PLACE),
    RelationRule("生日是", re.compile(
        rf"(?:^|[{_BREAK}])\s*{_WHO}的?生日(?:是|在){_WHAT}{_STOP}"), PERSON, DATE),
    RelationRule("出生于", _chinese("(?:出生于|出生在)"), PERSON, DATE),
    RelationRule("毕业于", _chinese("毕业于"), PERSON, ORGANISATION),
    RelationRule("名叫", re.compile(
        rf"(?:^|[{_BREAK}])\s*{_WHO}(?:的名字)?(?:名叫|叫做|叫|的名字是){_WHAT}{_STOP}"),
                 PERSON, PERSON),
    RelationRule("不喜欢", _chinese("(?:不喜欢|讨厌|不爱|不吃)"), PERSON),
    RelationRule("喜欢", _chinese("(?:很|非常|特别|最|更)?(?:喜欢|喜爱|热爱|偏好|偏爱)"), PERSON),
    RelationRule("过敏于", _chinese("对", "过敏"), PERSON),
    RelationRule("负责", _chinese("(?:负责|管理|领导)"), PERSON),
    RelationRule("使用", _chinese("(?:使用|在用|用的是)")),
    RelationRule("位于", _chinese("(?:位于|总部在)"), ORGANISATION, PLACE),
    RelationRule("属于", _chinese("属于")),
    RelationRule("创办", _chinese("(?:创办了|创立了|创办|创立)"), PERSON, ORGANISATION),
    RelationRule("是", re.compile(
        rf"(?:^|[{_BREAK}])\s*(?P<s>[^\s{_BREAK}是]{{1,16}}?){_ALSO}是"
        rf"(?:一名|一位|一个|一家|一只|一种)?{_WHAT}{_STOP}")),
)  # fmt: skip
# Without one of these words in a clause no rule fits.
CHINESE_HINT: Final = re.compile(
    "工作|上班|任职|就职|离职|辞职|加入|入职|住|搬|定居|来自|老家|生日|出生|毕业|叫|名字|喜|热爱|"
    "偏|讨厌|不爱|不吃|过敏|负责|管理|领导|用|位于|总部|属于|创办|创立|是"
)
