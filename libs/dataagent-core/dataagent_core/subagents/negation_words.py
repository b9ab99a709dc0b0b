"""The words, of both languages, that say how far a negation in a message reaches.

    don't use @one, ask @two      NEGATION REQUEST (@one) COMMA REQUEST (@two)

What follows from their order is in `negation.py`. Every token begins with a fixed word or sign, so
reading a text takes time that is linear in it.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

# Other spellings of one sign, each one character long: places stay what they are.
_TRADITIONAL: Final = (
    "別無須讓請調問給與準許應該絕決從沒開這個專過還務動換選擇啟勞煩擾驚詢諮權"
    "賴帶轉發區類級識斷錯對題關係來並參現禁會願歡於將"
)
_SIMPLIFIED: Final = (
    "别无须让请调问给与准许应该绝决从没开这个专过还务动换选择启劳烦扰惊询咨权"
    "赖带转发区类级识断错对题关系来并参现禁会愿欢于将"
)
_SAME_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc\uff07`\u00b4", "'"),
        **dict.fromkeys("\u00a0\u3000", " "),
        **dict(zip(_TRADITIONAL, _SIMPLIFIED, strict=True)),
    }
)


class NegationWord(StrEnum):
    """What a word does to a negation before it."""

    # Looks like a negation and is none: "don't forget to", "特别".
    NEUTRAL = "neutral"
    # A negation: of a verb ("do not"); of what follows at once ("no"), also beyond other words
    # ("without the help of"), or not ("skip @one", but "skip the tests and ask @one").
    NOT = "not_"
    NO = "no_"
    WITHOUT = "without"
    SKIP = "skip"
    NOR = "nor"
    # A fact, a question or a comparison: what follows is neither refused nor surely asked for.
    DOUBT = "doubt"
    # Ends a negation: "but".
    BUT = "but"
    OR = "or_"
    AND = "and_"
    # Verbs for giving work: "use", "让"; the common ones among them, which mean other things too.
    REQUEST = "request"
    DO = "do_"
    # After a comma it begins something else: "then".
    THEN = "then"
    # Between a verb and a name, or at its end: "the sub-agent".
    ARTICLE = "article"
    # Also there, and after a name the end of what is negated: "replace @one with @two".
    LINK = "link"
    # Also there, and a thing of its own: "this".
    THIS = "this"
    # Whom a verb for giving work is about, if it is no name: "don't ask me".
    PERSON = "person"
    COMMA = "comma"
    COLON = "colon"
    BORDER = "border"
    NEWLINE = "newline"
    BULLET = "bullet"
    OPEN = "open_"
    CLOSE = "close_"
    OTHER = "other"


# The next word is a name.
_NAME_NEXT = r"(?=[\s'*\"]*\Z)"
# What is not an order: "doesn't" says how things are, "can't @one" asks.
_FACT = r"(?:ai|does|did|is|are|was|were|has|have|had)"
_MODAL = r"(?:ca|wo|would|should|could|must|need|may|might|sha)"
_NOT_SHORT = rf"(?:do|{_FACT}|{_MODAL})n'?t"
_NOT_LONG = (
    r"(?:do|does|did|should|must|may|can|could|would|will|shall|need|is|are|to)\s+not"
    r"|don\st|cannot|never"
)
_USE = (
    "use[sd]? using asks? asking lets? letting calls? calling calls? involves? involving delegates?"
    " delegating hands? handing gives? giving assigns? assigning invokes? invoking consults?"
    " consulting contacts? bothers? bothering includes? including choose pick"
    " engage engaging allow allowed permitted wanted needed"
    " welcome hire leave leaving summon"
).replace(" ", "|")
# In the order in which they are tried; English words are whole ones.
_ENGLISH: Final = {
    NegationWord.NEUTRAL: (
        rf"(?:{_NOT_SHORT}|{_NOT_LONG})\s+(?:forget(?!\s+about\s+(?:us|ask))|hesitate|fail|neglect)"
        r"|why\s+(?:not|don'?t\s+(?:you|we))|(?:ca|could|would|wo)n'?t\s+(?:you|we)"
        r"|not\s+(?:only|just|merely)|no\s+(?:doubt|matter)|e\.g\.|i\.e\.|etc\.|vs\."
    ),
    NegationWord.DOUBT: (
        rf"{_FACT}n'?t|(?:does|did|is|are|was|were|has|have|had)\s+not|{_MODAL}n'?t{_NAME_NEXT}"
        rf"|{_MODAL}n'?t\s+(?:it|that|this|we|they|i)|don'?t\s+(?:we|they|only|just|merely)"
        rf"|do\s+not\s+(?:only|just|merely)|(?:over|than|leave|prefer){_NAME_NEXT}"
        r"|(?:i|we)\s+(?:can'?t|cannot|can\s+not|could\s*n[o']?t)"
        r"|(?:if|unless|when|because|since)\s+(?:you|i|we|they)\s+(?:don'?t|do\s+not|cannot|can'?t)"
    ),
    NegationWord.NOT: (
        rf"(?:{_NOT_SHORT}|{_NOT_LONG})|under\s+no\s+circumstances|on\s+no\s+account|in\s+no\s+case"
        r"|by\s+no\s+means|no\s+way|refrain(?:ing)?\s+from|neither|nobody|none|nothing"
    ),
    NegationWord.WITHOUT: (
        r"without|w/o|except(?:\s+for)?|excluding|instead\s+of|rather\s+than|in\s+place\s+of"
        r"|other\s+than|apart\s+from|aside\s+from|sans|minus"
        r"|(?:any|every|all)(?:\s?(?:one|body|thing))?\s+but"
    ),
    NegationWord.NOR: "nor",
    NegationWord.SKIP: (
        r"avoid(?:ing)?|skip(?:ping)?|exclude|ignore|ignoring|omit|leave\s+out|forbid(?:den)?"
        r"|cancel|drop|ditch|remove|dismiss|suspend|pause|hold\s+off(?:\s+on)?|disable|deactivate|(?:turn|switch)\s+off|(?:switch|change|move)\s+(?:away\s+)?from"
        r"|replac(?:e|ing)|swap(?:\s+out)?|ban(?:ned)?|bypass|refuse|decline|disregard|stop|quit|hands\s+off|(?:keep|stay)\s+away\s+from|forget(?:\s+about)?"
    ),
    NegationWord.NO: "not?",
    NegationWord.BUT: r"but(?!\s+for\b)|however|so(?=\s+(?:please\s+)?(?:ask|let|use|have)\b)",
    NegationWord.OR: "or|let\\s+alone",
    NegationWord.AND: r"and|as\s+well\s+as|plus|along\s+with|together\s+with",
    NegationWord.REQUEST: _USE,
    NegationWord.DO: (
        "do|have|get|take|try|want|tell|send|put|bring|start|run|add|go|make|pass|launch|trust"
        "|rely|prefer|forward|spawn|trigger|dispatch|wake|employ|ping|notify"
    ),
    NegationWord.THEN: "then|just|only|instead|rather",
    NegationWord.ARTICLE: (
        r"the|an?|any|of|these|those|either|both|also|too|sub-?\s?agents?|agents?|specialists?"
        r"|named|from|about|via|through|ever|even|all"
    ),
    NegationWord.LINK: "to|for|with|by|please",
    NegationWord.PERSON: "me|us",
    NegationWord.THIS: (
        r"this|that|it|on|in|at|tasks?|jobs?|need|again|anymore|longer|more"
        r"|you|your|my|now|be|being"
    ),
}
_CHINESE: Final = {
    NegationWord.NEUTRAL: (
        "(?:不要|不能|不可|不得|别|勿)(?:忘了|忘记|忘)|别的|别人|特别|分别|区别|类别|级别|个别|识别"
        "|性别|辨别|判别|差别|别名|不仅|不但|不只|不光|不错|不同(?!意)|不断|不久|不妨|不如|不然"
        "|要不然|要不要|要不|能不能|可不可以|会不会|是不是|行不行|好不好|对不对|有没有|何不|不得不"
        "|不管(?:怎|如何|是|什么)|不论|无论"
        r"|(?:[查找搜看拿读取想弄做打连得]不[到了出着见动通上清]|不可用)(?=了?(?:的话|的?时|就|再|则|[,;\uff0c\uff1b\u3002]))"
        "|不行(?:就|再|的话)|没问题|对不起|不好意思|差不多|不少|不止|没事|没关系|禁用词"
    ),
    NegationWord.DOUBT: (
        "比起|与其|我们?不能|为什么不|为何不|怎么不|干嘛不|难道(?:不|没)(?:应?该|能|可以|会)?"
        "|(?:如果|要是|假如|若|既然)不(?=[用让请叫找])|没(?!有?必要)有?|不会|从不"
    ),
    NegationWord.BUT: "而是|而要|而用|而让|但是|但|不过|然而|可是",
    NegationWord.WITHOUT: r"除了|除(?=\s*\Z)|除开|除却|而不是|而非|不是|代替|取代|替代|撇开|抛开",
    NegationWord.SKIP: (
        "避免|跳过|忽略|排除|绕过|绕开|避开|拒绝|剔除|停止|停用|取消|关掉|关闭|换掉|换下|撤掉|撤下"
        "|替换掉?"
    ),
    NegationWord.NOT: (
        "不要|不用|不使用|不必|不需要|不需|无需|无须|毋需|毋须|不准|不许|不得|不可以|不可|不能|不应该"
        "|不应|不该|不想要|不想|不希望|不愿意|不愿|请勿|切勿|勿|别再|别|莫|甭|禁止|禁用|严禁|不再"
        "|不建议|不打算|不宜|没必要|没有必要|用不着|并非|绝不|决不|不"
    ),
    NegationWord.THEN: "然后|接着|直接|而|改|只|就|是|还是|还要|还",
    NegationWord.OR: "或者|或是|抑或|亦或|或|更别说|更不用说",
    NegationWord.AND: "以及|和|与|及|跟|同|、",
    NegationWord.REQUEST: (
        "使用|用|让|请|叫|找|派|交给|交由|交|由|询问|问|调用|委派给|委派|委托给|委托|安排|通知|麻烦"
        "|换成|换|选择|选|启用|启动|使唤|劳烦|打扰|惊动|求助|咨询|分配给|分给|转给|发给|指派给|指派"
        "|授权|允许|依赖|靠|拉上|加上|带上|动用|管"
    ),
    NegationWord.DO: "做|进行",
    NegationWord.ARTICLE: "子代理|子智能体|智能体|代理|助手|专家|也|都|再|去|来|给|到|任何|的",
    NegationWord.THIS: "把|将|这个|这|那个|那|任务|工作|事情|事|活|它|本次|这次|此次",
}
_SIGNS: Final = {
    NegationWord.BULLET: r"(?m:^)[^\S\n]*(?:[-*\u2022]|\d{1,2}[.)\u3001])(?=[\s@])",
    NegationWord.NEWLINE: r"\n(?:[^\S\n]*\n)*",
    NegationWord.COMMA: r"[,\uff0c\u2026\u2014\u2013]|\.{2,}|-{2,}|(?<=\s)-(?=\s)",
    NegationWord.COLON: r"[:\uff1a]",
    NegationWord.BORDER: r"[;!?\u3002\uff01\uff1f\uff1b]|\.(?![A-Za-z0-9_./@-])",
    NegationWord.OPEN: r"[(\uff08]",
    NegationWord.CLOSE: r"[)\uff09]",
    NegationWord.AND: r"[&+/]",
    NegationWord.OTHER: r"@?[A-Za-z0-9_][A-Za-z0-9_'/-]*|[^\W_]",
}


def _make_group(number: int, word: NegationWord, pattern: str) -> str:
    return f"(?P<{word.value}_{number}>{pattern})"


_LEXER = re.compile(
    "|".join(
        [
            _make_group(0, NegationWord.BULLET, _SIGNS.pop(NegationWord.BULLET)),
            # Read at once, as no other can begin in it.
            r"[^\S\n]+",
            *(
                _make_group(1, word, rf"(?<![A-Za-z0-9_])(?:{pattern})(?![A-Za-z0-9_'])")
                for word, pattern in _ENGLISH.items()
            ),
            *(_make_group(2, word, pattern) for word, pattern in _CHINESE.items()),
            *(_make_group(3, word, pattern) for word, pattern in _SIGNS.items()),
        ]
    ),
    re.IGNORECASE,
)
_WORDS: Final = {name: NegationWord(name.rpartition("_")[0]) for name in _LEXER.groupindex}


def fold_signs(text: str) -> str:
    """Write apostrophes, spaces and Chinese in one way; the places stay the same."""
    return text.translate(_SAME_SIGNS)


def read_words(text: str, start: int, end: int) -> Iterator[tuple[NegationWord, str]]:
    """Read the words of a part of a folded text."""
    for found in _LEXER.finditer(text, start, end):
        if found.lastgroup is not None:
            yield _WORDS[found.lastgroup], found[0]
