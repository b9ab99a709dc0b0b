"""Receipts: every figure of an answer traced to the query and the rows it came from, by code.

tools/data/receipts/figures/figure.py tools/data/receipts/figures/figure_reader.py
tools/data/receipts/figures/digit_masks.py tools/data/receipts/figures/chinese_numerals.py
tools/data/receipts/figures/text_folds.py   which numbers of a text are figures
tools/data/receipts/context/figure_context.py tools/data/receipts/context/claims.py
tools/data/receipts/context/citations.py                      what stands around one, and what it
cites tools/data/receipts/result_values/result_index.py
tools/data/receipts/result_values/numeric_column.py tools/data/receipts/result_values/row_labels.py
tools/data/receipts/result_values/value_spellings.py             a result made ready to be asked
tools/data/receipts/measures/measure_words.py tools/data/receipts/measures/mentions.py
tools/data/receipts/measures/measure.py tools/data/receipts/measures/column_aliases.py     which
column is meant figure_question.py tools/data/receipts/result_values/row_pins.py
tools/data/receipts/periods/period.py tools/data/receipts/derivation/match_chance.py
which row is meant; when a match proves tools/data/receipts/derivation/figure_match.py
tools/data/receipts/derivation/differences.py tools/data/receipts/result_values/tool_numbers.py
where a figure can come from tools/data/receipts/derivation/cited_ratios.py
tools/data/receipts/derivation/cited_expressions.py                                ratios, and what
a citation spells out figure_trace.py                                               all of it, for
one answer result_facts.py result_ledger.py session_tracer.py                        what a
session's log names; its tracer
"""
