"""Says whether a negation of a message reaches a name or a phrase in it. Pure.

    don't use @one or @two          both are refused: only words for giving work stand between
    don't use @one, ask @two        @one is refused, @two is free: a comma ends a negation
    I don't know what to ask @one   unclear: what is negated may be something else

What is refused is sure, and so is what is free; everything else is unclear.

No text takes long: a repetition of words or blanks is possessive (`*+`), so that it is not tried in
several ways, and no word of it is also two words of it.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

Reach = Literal["free", "refused", "unclear"]

# A negation further away is about something else.
_BEFORE_CHARS_MAX: Final = 400
# Other spellings of one sign, each one character long: places stay what they are.
_SIGNS: Final = str.maketrans(
    "\u2018\u2019\u02bc\uff07\u00b4\u00a0\u3000\uff08\uff09"
    "別無須讓請調問給與準許應該絕決從沒這個務動換選擇啟擾詢諮",
    "'''''  ()别无须让请调问给与准许应该绝决从没这个务动换选择启扰询咨",
)
_FLAGS: Final = re.IGNORECASE | re.VERBOSE | re.ASCII
# They look like negations and are none: "don't forget to", "why don't you", "特别", "(ever)".
_NEUTRAL = re.compile(
    r"""
    \b(?: (?:do|to)\s*n[o']?t\s+(?:forget|hesitate|fail) | never\s+forget
        | (?:ca|could|wo)n'?t\s+(?:you|we) | why\s+(?:not|don'?t\s+(?:you|we))
        | (?<!do[ ])not\s+(?:only|just|merely) | no\s+(?:problem|doubt|matter|worries) )\b
    | (?:别|不要|不能)(?:忘了|忘记) | 别的 | 别人 | [特分区类级识]别 | 不[仅但只光错同断久妨如管论]
    | 不行(?=[再就]) | 要不要? | 能不能 | 可不可以 | 会不会 | 是不是 | 好不好 | 有没有 | 无论
    | 没问题 | 没关系 | 对不起 | 差不多 | [查找搜看读取连得]不[到了出着通](?=了?的话|了?就|再)
    | \([^()@\n]{0,80}\)
    """,
    _FLAGS,
)
# Verbs for giving work, and what may stand between them and a name. No word is a beginning of a
# later one, because what is read is not read again in another way.
_VERBS: Final = r"""
    \b(?:us|ask|lett?|call|involv|delegat|hand|giv|assign|invok|consult|contact|bother|includ|choos
    |pick|engag|allow|want|need|hav|gett?|tell|send|do|go|try|trust|start|runn?)
    (?:es|e|s|ing)?\b
    | 使用|动用|调用|启用|用|让|请|叫|找|派|交|由|询问|问|委[派托]|安排|通知|麻烦
    | 换成?|选择?|求助|咨询|打扰|惊动|依赖|靠|管|做|进行
"""
_SPACES: Final = r"[\s:\uff1a(*\"'`\u2022-]*+"
_LINKS: Final = rf"""(?: {_SPACES} (?: {_VERBS}
    | \b(?:the|an?|any|all|of|either|both|also|even|ever|or|to|for|from|about|with|by|on|this|that
      |it|tasks?|jobs?|work|again|longer|more|me|please|help|(?:sub-?\s?)?agents?|specialists?)\b
    | (?<=use|ask|all), (?=\s*(?:ask|use|call)\b)
    | 子代理|子?智能体|代理|助手|专家|也|都|再|去|来|给|到|任何|把|将|这个?|那个?|任务|工作|事情?
    | 活|它|本次|的|需要?|想要?|希望 ))"""
# What directly governs the name behind it. A fact or a question ("hasn't", "can't @one") does not.
_GOVERNS = re.compile(
    rf"""(?:
    (?: \b(?: do\s*n[o']?t | don\st | (?:must|should|may|shall|need|to)\s+not | never | not
        | neither | nobody | refrain(?:ing)? | under\s+no\s+circumstances | no\s+way )\b
      | (?<!为什么)(?<!为何)(?<!怎么)(?<!难道)(?<!如果)(?<!要是)
        不(?:要|必|准|许|得|可以?|能|应该?|该|愿意?|建议|打算|宜)?
      | 无需|无须|别|勿|莫|甭|禁止|禁用|严禁|没有?必要|用不着 ) {_LINKS}*+
    | \b(?: won'?t | (?<!\bi[ ])(?<!\bwe[ ])(?: (?:ca|would|should|could|must|need|may)n'?t
        | can\s?not | (?:could|would|will)\s+not )) {_LINKS}++
    | \b(?P<no>no)\b {_LINKS}*+
    | (?P<ends> \b(?: without | except | excluding | (?:instead|in\s+place)\s+of | rather\s+than
        | (?:other|apart)\s+(?:than|from) | (?:any|every)(?:one|body|thing)\s+but | minus | avoid
        | skip | exclude | ignore | omit | forbid | cancel | drop | ditch | remove | dismiss
        | suspend | pause | stop | ban | hold\s+off(?:\s+on)? | disable | deactivate
        | (?:turn|switch)\s+off | (?:switch|change|move)\s+(?:away\s+)?from | replac(?:e|ing)
        | swap(?:\s+out)? )\b (?:{_SPACES} \b(?:the|an?|any|of|for|using|help
        |(?:sub-?)?agents?)\b)*+
      | (?: 避免|跳过|忽略|排除|绕[过开]|避开|拒绝|剔除|停[止用]|取消|关[掉闭]|[换撤]掉|替换掉?
        | 除[了开]?|而不是|而非|不是|[代取]替|取代|替代|撇开|抛开 )(?:使用|用)? )
    ) {_SPACES}\Z""",
    _FLAGS,
)
# What follows in its clause is not surely asked for, if it does not govern it.
_NEGATIVE = re.compile(
    r"""\b(?:not?|never|none|nobody|nothing|neither|nor|without|cannot|prefer|\w+n't|(?:do|ca)nt)\b
    | [不没别勿莫甭] | 无需 | 禁止 | 与其 | 比起 | \b(?:(?<!hand[ ])over|than|leave)\s+\Z""",
    _FLAGS,
)
_SENTENCE_END: Final = r"""
    [;!?)\u3002\uff01\uff1f\uff1b\n] | \.(?![\w./@-]) | 但是? | 而是 | 不过
    | (?<!one[ ])(?<!body[ ])(?<!thing[ ])\bbut\b"""
_SENTENCE = re.compile(_SENTENCE_END, _FLAGS)
_CLAUSE = re.compile(rf"[,\uff0c\u2014\u2013:\uff1a] | \s-\s | {_SENTENCE_END}", _FLAGS)
# "Never, ever, use @one": it goes on behind its commas.
_BY_ITSELF = re.compile(r"(?:\bnever|\bnot|n't)\s*,", _FLAGS)
_REQUEST = re.compile(rf"{_VERBS} | \b(?:just|then)\b | 就 | 是 | 直接 | 还要", _FLAGS)
# "@one write it": a sentence that is said to somebody, and not the end of a list.
_ADDRESSED = re.compile(
    r"""\s* (?:please\s+)? (?!(?:for|in|on|at|here|now|today|this|any|again|either|too|as|please
    |and|or|nor|with|to)\b) [a-z0-9]
    | \s* (?![来去也都了等和与及或以还这跟同别不]|参与|参加|帮忙)[\u4e00-\u9fff]""",
    _FLAGS,
)


class Span(NamedTuple):
    """Where a name, a list of names or a phrase stands."""

    start: int
    end: int


def fold_signs(text: str) -> str:
    """Write signs in one way, and blanks for words that negate nothing; places stay the same."""
    return _NEUTRAL.sub(lambda found: " " * len(found[0]), text.translate(_SIGNS))


def is_addressed(text: str, end: int) -> bool:
    """Say whether what follows a name is a sentence that is said to it."""
    return _ADDRESSED.match(text, end) is not None


def find_reaches(text: str, spans: Sequence[Span], *, of_names: bool = True) -> list[Reach]:
    """Say for each span of a folded text whether a negation before it reaches it.

    They are in order and apart. A phrase that is no name is a fact behind "no", and needs no verb.
    """
    found: list[Reach] = []
    clause: Reach = "free"
    sentence: Reach = "free"
    is_over, end = False, 0
    for span in spans:
        before = text[max(end, span.start - _BEFORE_CHARS_MAX) : span.start]
        in_sentence = _SENTENCE.split(before)[-1]
        in_clause = _CLAUSE.split(in_sentence)[-1]
        has_request = _REQUEST.search(in_clause) is not None
        if len(in_sentence) < len(before):
            sentence = clause = "free"
        elif len(in_clause) < len(before) or (is_over and has_request):
            clause = "free"
        governs = _GOVERNS.search(before)
        is_over = governs is not None and governs["ends"] is not None
        if governs is not None:
            # "Don't start without @one" wants it.
            is_double = is_over and _NEGATIVE.search(_CLAUSE.split(before[: governs.start()])[-1])
            is_fact = not of_names and governs["no"] is not None
            reach: Reach = "unclear" if is_double or is_fact else "refused"
        else:
            is_unclear = (
                clause != "free"
                or _NEGATIVE.search(in_clause)
                or _BY_ITSELF.search(in_sentence)
                or (of_names and not has_request and _goes_on(text, span, in_sentence, sentence))
            )
            reach = "unclear" if is_unclear else "free"
        found.append(reach)
        clause = reach
        sentence = reach if reach != "free" else sentence
        end = span.end
    return found


def _goes_on(text: str, span: Span, in_sentence: str, sentence: Reach) -> bool:
    """Say whether a name without a verb may still belong to what was negated before a comma."""
    if sentence == "refused":
        return True
    is_negative = sentence != "free" or _NEGATIVE.search(in_sentence) is not None
    return is_negative and not is_addressed(text, span.end)
