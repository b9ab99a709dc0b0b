"""Words that say nothing new of a figure: it goes on about the measure of the one before."""

from dataagent_core.tools.data.receipts.claims import DOWN, UP, claims_in

_NEUTRAL = frozenset(
    "about above after again against ahead all almost also although an and another are around as at "
    "be before behind below both bottom but by came come comes compared did each even ever exactly "
    "first followed follows for from further had half has have hit how in into is it its itself just "
    "last later led made merely month near nearly next no not now of on once only or other our over "
    "overall per plus previous quarter rank ranked ranks reach reached reaches respectively roughly "
    "saw same second see since so some still stood such than that the their then there these they "
    "third this those though through to today too trailed trails under until us versus very vs was we week "
    "well were when where whereas which while whose with within without year yet years months weeks "
    "quarters days day fourth fifth top rest remaining took takes take alone twice double went goes go approximately quite turned out ended ends end "
    "usd eur cny gbp rmb averaging following against became remained remains stayed stays".split()
)


def is_neutral(word: str) -> bool:
    """Say whether a folded English word only leads from one figure to the next."""
    known = word in _NEUTRAL or UP.search(word) or DOWN.search(word) or claims_in(word)
    return bool(known) or word.endswith(("ly", "est"))
