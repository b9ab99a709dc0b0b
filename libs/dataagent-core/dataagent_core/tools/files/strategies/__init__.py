r"""The six ways to find the text an edit means, in the order they are tried (S2 §7.2.1).

Each is a pure function of the text, the old string and the new one. It gives every place it finds,
with the replacement fitted to that place. Texts have `\n` as their only line end here; `newlines`
keeps the file's own.
"""

from dataagent_core.tools.files.strategies.block_anchor import block_anchor
from dataagent_core.tools.files.strategies.escape_normalized import escape_normalized
from dataagent_core.tools.files.strategies.exact import exact
from dataagent_core.tools.files.strategies.indentation_flexible import indentation_flexible
from dataagent_core.tools.files.strategies.line_trimmed import line_trimmed
from dataagent_core.tools.files.strategies.replacement import Place, Replacement, Strategy
from dataagent_core.tools.files.strategies.whitespace_normalized import whitespace_normalized

__all__ = ["STRATEGIES", "Place", "Replacement", "Strategy"]

STRATEGIES: dict[str, Strategy] = {
    "exact": exact,
    "escape-normalised": escape_normalized,
    "line-trimmed": line_trimmed,
    "indentation-flexible": indentation_flexible,
    "whitespace-normalised": whitespace_normalized,
    "block anchor": block_anchor,
}
