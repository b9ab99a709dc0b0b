"""Words without a measure: the figure continues the measure of the one before."""

from dataagent_core.tools.data.receipts.context.claims import DOWN, UP, find_claims

_WORDS = """
    about above after again against ahead all almost alone also although an and another
    approximately are around as at averaging be became before behind below both bottom but by
    came cny come comes compared day days did double each end ended ends eur even ever exactly
    fifth first followed following follows for fourth from further gbp go goes had half has
    have hit how in into is it its itself just last later led made merely month months near
    nearly next no not now of on once only or other our out over overall per plus previous
    quarter quarters quite rank ranked ranks reach reached reaches remained remaining remains
    respectively rest rmb roughly same saw second see since so some stayed stays still stood
    such take takes than that the their then there these they third this those though through
    to today too took top trailed trails turned twice under until us usd versus very vs was we
    week weeks well went were when where whereas which while whose with within without year
    years yet
"""
_NEUTRAL = frozenset(_WORDS.split())


def is_neutral(word: str) -> bool:
    """Say whether a folded English word only leads from one figure to the next."""
    known = word in _NEUTRAL or UP.search(word) or DOWN.search(word) or find_claims(word)
    return bool(known) or word.endswith(("ly", "est"))
