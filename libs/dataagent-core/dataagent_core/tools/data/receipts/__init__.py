"""Receipts: every figure of an answer is traced to the query and the rows it came from, by code.

`figure_trace.py` does it for one answer, `session_tracer.py` for a session. `figures/` finds the
figures in a text, `context/` what surrounds and cites them, `measures/` and `periods/` which column
and row are meant, `result_values/` indexes a result, and `derivation/` finds where a figure can
come from. `unqueried_figures.py` handles sessions without a query.
"""
