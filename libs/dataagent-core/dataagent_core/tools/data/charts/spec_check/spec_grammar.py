"""The allowed part of Vega-Lite: everything that draws, nothing that fetches or reacts."""


def split_grammar_words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


MARKS = split_grammar_words(
    "arc area bar boxplot circle errorband errorbar line point rect rule square text tick trail"
)
# A picture made of others; each part is a spec again.
COMPOSITIONS = ("layer", "hconcat", "vconcat", "concat")
SPEC_KEYS = split_grammar_words(
    "$schema title description width height mark encoding layer hconcat vconcat concat columns "
    "facet spec transform resolve spacing align center bounds view config autosize padding "
    "background name"
)
CHANNELS = split_grammar_words(
    "x y x2 y2 xOffset yOffset theta theta2 radius radius2 xError yError xError2 yError2 color "
    "fill stroke opacity fillOpacity strokeOpacity strokeWidth strokeDash size angle shape text "
    "tooltip detail order row column facet description"
)
# The key by which a transform is known, and which of its values name columns.
TRANSFORMS: dict[str, frozenset[str]] = {
    "aggregate": frozenset({"field", "groupby"}),
    "bin": frozenset({"field"}),
    "calculate": frozenset(),
    "density": frozenset({"density", "groupby"}),
    "filter": frozenset({"field"}),
    "fold": frozenset({"fold"}),
    "joinaggregate": frozenset({"field", "groupby"}),
    "loess": frozenset({"loess", "on", "groupby"}),
    "quantile": frozenset({"quantile", "groupby"}),
    "regression": frozenset({"regression", "on", "groupby"}),
    "sample": frozenset(),
    "stack": frozenset({"stack", "field", "groupby"}),
    "timeUnit": frozenset({"field"}),
    "window": frozenset({"field", "groupby"}),
}
# Columns a transform makes when `as` says nothing.
MADE_BY_DEFAULT: dict[str, tuple[str, ...]] = {
    "fold": ("key", "value"),
    "density": ("value", "density"),
    "quantile": ("prob", "value"),
}
# Never, at any depth: they fetch, listen, refer to other data or name code.
FORBIDDEN_KEYS = split_grammar_words(
    "data datasets url href params param signal expr selection select bind events update usermeta "
    "from lookup graticule sphere sequence projection impute keyvals repeat"
)
# Formulas stand here, in transforms and in conditions.
EXPRESSION_KEYS = frozenset({"calculate", "labelExpr", "test", "filter", "and", "or", "not"})
# Keys with which a spec aggregates rows, and so must see all of them.
ADDING_KEYS = frozenset({"aggregate", "bin", "density", "regression", "loess", "quantile"})
# Marks that stay correct when rows between them are left out.
SAMPLED_MARKS = split_grammar_words("circle line point square tick trail")
