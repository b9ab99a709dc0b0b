"""Words that stand in any request and say nothing of what it is about, English and Chinese.

Chinese is split into pairs of signs (`word_split.py`): a pair with a sign of grammar is common, and
so are the listed ones.
"""

from typing import Final

_ENGLISH_TEXT: Final = """
a about above after again all also am an and any anyone anything are as at be because been
before being below between both but by can cannot could did do does doing done down during each
even every everything few first for from further get give go going good got had has have having
he hello help her here hers hey hi him his how i if in into is it its itself just kind know last
least let lets like ll look lot make many may maybe me might mine more most much must my myself
need new next no nor not now of off ok okay on once one only or other our ours out over own
perhaps please put quite rather re really right same see shall she should show so some someone
something still such sure take tell than thank thanks that the their them then there these they
thing things this those through to today together too try two under until up us use used user
users using ve very via want wants was way we well were what when where whether which while who
whom whose why will wish with within without won would yes yet you your yours
"""
_CHINESE_TEXT: Final = """
一下 一个 一些 一份 一篇 一段 一起 一点 可以 需要 如何 能否 是否 可否 有没 没有 为何 现在
今天 应该 怎样 想要 希望 麻烦 给出 看看 看下 使用 时使 进行 相关 用户 用于 以及 或者 还是
如果 因为 所以 但是 并且 然后 之后 之前 这样 几个 哪些 有什 时候 不要 不是 不会 就是 已经
知道 告诉 时用
"""
_ENGLISH: Final = frozenset(_ENGLISH_TEXT.split())
_CHINESE: Final = frozenset(_CHINESE_TEXT.split())
_CHINESE_SIGNS: Final = frozenset("的了吗呢吧我你您他她它们请帮把这那哪很啊嘛么")


def is_common(word: str) -> bool:
    """Say whether a word, as `split_words` gives it, says nothing of the subject."""
    return word in _ENGLISH or word in _CHINESE or not _CHINESE_SIGNS.isdisjoint(word)
