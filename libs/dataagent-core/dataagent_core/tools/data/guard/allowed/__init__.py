"""The closed lists of what a query may contain. Everything else is refused.

query_nodes.py            parts of a query that are no functions, and their arguments
function_nodes.py         functions the parser knows by meaning
functions_by_dialect.py   functions by the name the engine sees, for each dialect
keywords.py               every other unquoted word that may stand in the SQL that runs
"""
