"""The functions a query may call: none that reads beyond its arguments.

Left out on purpose: `range`, `reduce` and `replace`, which make much of little, and regular
expressions, which Neo4j cannot end.
"""

from typing import Final

_NAMES: Final = """
abs avg ceil coalesce collect count date datetime duration e elementId endNode exp floor head
isEmpty keys labels last left length localdatetime log log10 ltrim max min nodes percentileCont
percentileDisc pi properties relationships reverse right round rtrim sign size split sqrt startNode
stDev stDevP substring sum tail time toBoolean toFloat toInteger toLower toString toUpper trim type
"""
FUNCTIONS: Final = {name.lower(): name for name in _NAMES.split()}
# Those that ask for each item of a list.
QUANTIFIERS: Final = frozenset({"ALL", "ANY", "NONE", "SINGLE"})
