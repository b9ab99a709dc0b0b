"""Receipts: every figure of an answer traced to the query and the rows it came from, by code.

figure.py figures.py masks.py numerals.py folding.py   which numbers of a text are figures
context.py claims.py citations.py                      what stands around one, and what it cites
index.py numbers.py labels.py spellings.py             a result made ready to be asked
measure_words.py mentions.py measure.py aliases.py     which column is meant
question.py pins.py periods.py chance.py               which row is meant; when a match proves
derive.py differences.py outputs.py                    where a figure can come from
cited.py expressions.py                                ratios, and what a citation spells out
trace.py                                               all of it, for one answer
receipt.py ledger.py session.py                        what a session's log names; its tracer
"""
