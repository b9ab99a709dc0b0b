r"""The six ways to find the text an edit means, in the order they are tried (S2 §7.2.1).

Each is a pure function of the text, the old string and the new one. It gives every place it finds,
with the replacement fitted to that place. Texts have `\n` as their only line end here; `newlines`
keeps the file's own.
"""

from dataagent_core.tools.files.edits.strategies.block_anchor import find_by_block_anchor
from dataagent_core.tools.files.edits.strategies.escape_normalized import find_escape_normalized
from dataagent_core.tools.files.edits.strategies.exact_match import find_exact
from dataagent_core.tools.files.edits.strategies.indentation_flexible import (
    find_indentation_flexible,
)
from dataagent_core.tools.files.edits.strategies.line_trimmed import find_line_trimmed
from dataagent_core.tools.files.edits.strategies.replacement import (
    EditTarget,
    Replacement,
    Strategy,
)
from dataagent_core.tools.files.edits.strategies.whitespace_normalized import (
    find_whitespace_normalized,
)

__all__ = ["STRATEGIES", "EditTarget", "Replacement", "Strategy"]

STRATEGIES: dict[str, Strategy] = {
    "exact": find_exact,
    "escape-normalised": find_escape_normalized,
    "line-trimmed": find_line_trimmed,
    "indentation-flexible": find_indentation_flexible,
    "whitespace-normalised": find_whitespace_normalized,
    "block anchor": find_by_block_anchor,
}
