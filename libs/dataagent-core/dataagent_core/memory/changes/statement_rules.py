"""The rules by which a statement's subject is read, in English and Chinese.

Each rule has a group `value`, and may have `who` (whose statement it is), `about` (a part of the
subject) and `no` (it is denied). A rule with `value` has one value at a time: a new one takes the
place of the old. One without is true or denied.
"""

import re
from dataclasses import dataclass
from typing import Final

# What a person has one of at a time.
_ROLES: Final = (
    r"names?|nickname|editor|ide|shell|terminal|browser|os|operating system|laptop|phone|keyboard|"
    r"boss|manager|supervisor|team lead|mentor|doctor|dentist|landlord|partner|wife|husband|spouse|"
    r"girlfriend|boyfriend|employer|company|job|job title|title|role|position|team|department|"
    r"office|city|town|country|home town|hometown|address|birthday|birth date|date of birth|age|"
    r"time ?zone|native language|mother tongue|language|email|e-mail|phone number|budget|deadline|"
    r"due date|release date|launch date|start date|end date|port|host|version|branch|"
    r"database|framework|cloud provider|region|license|salary|diet|blood type|"
    r"favou?rite [\w -]{2,30}|preferred [\w -]{2,30}|main [\w -]{2,30}|default [\w -]{2,30}|"
    r"current [\w -]{2,30}"
)
_ROLES_CHINESE: Final = (
    "名字|姓名|昵称|编辑器|浏览器|操作系统|电脑|手机|老板|经理|主管|导师|医生|妻子|丈夫|女朋友|男朋友|"
    "公司|单位|工作|职位|职务|职业|团队|部门|城市|国家|家乡|地址|生日|年龄|时区|母语|语言|邮箱|电话|"
    "预算|截止日期|截止时间|上线日期|发布日期|开始日期|端口|版本|分支|默认分支|数据库|框架|地区|"
    "最喜欢的.{1,10}?|首选的?.{1,10}?|默认的?.{1,10}?|主要的?.{1,10}?"
)
_WHO: Final = r"(?P<who>i|we|(?:the )?user|(?-i:[A-Z])[\w'-]{0,30}(?: (?-i:[A-Z])[\w'-]{0,30})?)"
_NOW: Final = r"(?: (?:now|currently|still|really|also|actually))?"
_NO: Final = r"(?P<no> (?:do not|don't|does not|doesn't|no longer|never))?"
_END: Final = r"(?: (?:now|currently|anymore|any more|these days))?$"
_WHO_CHINESE: Final = "(?P<who>我们|我|(?:该)?用户)?"
_NOW_CHINESE: Final = "(?:现在|目前|已经|还是|如今)?"


@dataclass(frozen=True, slots=True)
class StatementRule:
    """A form of statements, and the name of what they say something about."""

    subject: str
    form: re.Pattern[str]


def _rule(subject: str, form: str) -> StatementRule:
    return StatementRule(subject, re.compile(f"(?i)^{form}"))


RULES: Final = (
    _rule(
        "live in",
        rf"{_WHO}{_NOW} (?:lives?|resides?|am living|is living|(?:have |has )?moved|(?:have |has )?"
        rf"relocated) (?:in|to|at) (?P<value>.{{2,60}}?)(?: since .*)?{_END}",
    ),
    _rule(
        "work at",
        rf"{_WHO}{_NOW} works? (?:at|for) (?P<value>.{{2,60}}?)(?: since .*| as .*)?{_END}",
    ),
    _rule("work as", rf"{_WHO}{_NOW} works? as (?:an? |the )?(?P<value>.{{2,60}}?){_END}"),
    _rule("name", r"(?:my name is|call me|i am called|i'm called) (?P<value>.{1,60})$"),
    _rule(
        "have {about}",
        rf"{_WHO}{_NOW} (?:have|has|own|owns) (?P<value>\d+|two|three|four|five|six|seven|eight|"
        rf"nine|ten) (?P<about>[\w -]{{2,30}}){_END}",
    ),
    _rule(
        "use as {about}",
        rf"{_WHO}{_NOW} uses? (?P<value>.{{1,40}}?) as (?:my|our|the|an?|his|her|their) "
        rf"(?P<about>[\w -]{{2,30}}){_END}",
    ),
    _rule(
        "decide for {about}",
        rf"{_WHO}(?: have| has)? decided (?:to use|to go with|on|to choose) (?P<value>.{{1,60}}?) "
        rf"(?:for|as) (?P<about>.{{2,60}}){_END}",
    ),
    _rule(
        "decide {about}",
        rf"{_WHO}(?: have| has)? decided(?P<no> not| against)? (?:to )?(?P<about>.{{2,80}}){_END}",
    ),
    _rule(
        "prefer {about}",
        rf"{_WHO}{_NOW} prefers? (?P<value>[\w#+.-]{{1,30}}) (?P<about>[\w-]{{2,30}}){_END}",
    ),
    _rule(
        "like {about}",
        rf"{_WHO}{_NO}{_NOW} (?:likes?|loves?|enjoys?|eats?|drinks?) (?P<about>.{{2,60}}?){_END}",
    ),
    _rule(
        "like {about}",
        rf"{_WHO}{_NOW} (?P<no>hates?|dislikes?|can't stand|cannot stand) "
        rf"(?P<about>.{{2,60}}?){_END}",
    ),
    _rule(
        "{about}",
        rf"(?P<who>my|our|the|(?:the )?user's|(?-i:[A-Z])[\w-]{{0,30}}'s) "
        rf"(?P<about>(?:{_ROLES})(?: (?:of|for) (?:the )?[\w -]{{2,30}}?)?) "
        rf"(?:is|are|was changed to|changed to)(?: now)? (?P<value>.{{1,80}}?){_END}",
    ),
    _rule(
        "live in",
        f"{_WHO_CHINESE}{_NOW_CHINESE}(?:居住在|住在|搬到了?|搬去了?)(?P<value>.{{2,30}}?)了?$",
    ),
    _rule(
        "work at", f"{_WHO_CHINESE}{_NOW_CHINESE}在(?P<value>.{{2,30}}?)(?:工作|上班|任职|就职)$"
    ),
    _rule("name", f"{_WHO_CHINESE}(?:的?名字(?:是|叫)|叫做?)(?P<value>.{{1,20}})$"),
    _rule(
        "have {about}",
        f"{_WHO_CHINESE}{_NOW_CHINESE}有(?P<value>\\d+|[两二三四五六七八九十百]+)"
        "[只个条台辆本位套间张名](?P<about>.{1,20})$",
    ),
    _rule(
        "decide for {about}",
        f"{_WHO_CHINESE}{_NOW_CHINESE}决定(?:使用|采用|选用|用)(?P<value>.{{1,30}}?)(?:作为|做|当)"
        "(?P<about>.{1,30})$",
    ),
    _rule(
        "decide {about}",
        f"{_WHO_CHINESE}{_NOW_CHINESE}决定(?P<no>不再?|放弃)?(?P<about>.{{2,40}})$",
    ),
    _rule(
        "{about}",
        f"{_WHO_CHINESE}的?(?P<about>{_ROLES_CHINESE}){_NOW_CHINESE}(?:已?改(?:为|成)|变成|换成|是|为)"
        "(?P<value>.{1,40})$",
    ),
    _rule(
        "like {about}",
        f"{_WHO_CHINESE}{_NOW_CHINESE}(?P<no>不再?|并不|从不)?(?:很|非常|最|特别)?(?:喜欢|喜爱|爱)"
        "(?P<about>.{1,30}?)了?$",
    ),
    _rule("like {about}", f"{_WHO_CHINESE}{_NOW_CHINESE}(?P<no>讨厌|不喜欢)(?P<about>.{{1,30}}?)$"),
)
