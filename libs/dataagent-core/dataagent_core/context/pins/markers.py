"""The words by which code knows a constraint, a decision, or something ruled out.

English and Chinese. A marker too many pins a sentence that did not need it; a marker too few loses
one, so these lean to the former and the budget decides.
"""

import re


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


CONSTRAINT = _words(
    r"\b(must|never|always|only|shall|should|cannot|can't|mustn't|shouldn't|required?|requires|ensure|"
    r"forbidden|prohibited|avoid|prefer|remember|important|deadline|budget|limit(ed)?)\b",
    r"\b(do not|don't|make sure|at most|at least|no more than|no less than|not allowed|"
    r"no longer than|instead of|without|keep in mind|unless|except|from now on|by default)\b",
    "必须|不要|不得|不能|不可|不许|禁止|只能|只用|只看|务必|总是|始终|永远|请勿|一定|至少|最多|不超过|不少于|"
    "除非|除了|优先|记住|注意|重要|截止|预算|限制|避免|以后都|默认|为准",
)
# What is said as an order for all that follows. Requests for one answer (show, count, compare) are
# not among them: every turn has one, and the last two turns are shown anyway.
STANDING = re.compile(
    r"^(?:\W*(?:please|and|so|then|also|now|next time)\b)*\W*"
    r"(?:use|keep|call|name|treat|assume|ignore|exclude|include|skip|leave|stick|round|format|answer|"
    r"reply|respond|write everything|start every|end every|work (?:in|on|with)|store|save|put|stop|"
    r"(?:i|we) (?:prefer|expect)|we use|my name is)\b"
    r"|^\W*(?:请|那就|以后|接下来)?(?:使用|统一|保留|保持|忽略|排除|包含|跳过|假设|改用|按照|沿用|停止|"
    r"用.{1,12}(?:回答|回复|输出|写|表示)|我希望|称呼|叫我)",
    re.IGNORECASE,
)
DECISION = _words(
    r"\b(decided|decision|decide to|agreed|we('| wi)ll use|let's (use|go with|take)|go(ing)? with|"
    r"chose|chosen|choose|picked|settled on|approved|confirmed)\b",
    "决定|确定|选择|选定|选用|采用|就用|同意|批准|确认|敲定",
)
RULED_OUT = _words(
    r"\b(ruled out|rule out|did(n't| not) work|does(n't| not) work|do(n't| not) work|"
    r"dead end|no effect|not the (cause|reason|problem)|not possible|impossible|rejected|"
    r"discarded|abandoned|gave up on|failed because|is wrong|was wrong|not supported|unsuitable)\b",
    "排除|行不通|不可行|无效|不是原因|没有用|没用|放弃|不支持|否决|不适用|走不通",
)
