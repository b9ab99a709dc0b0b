"""Workflows: a pattern as fixed calls with inputs, as a file that a person can read and change.

workflow.py           the values; `read_workflow.py`, `write_workflow.py`: as YAML, read strictly
compile_workflow.py   from clean runs; `generalise.py`: what of their arguments is fixed;
                      `differences.py`, `find_taken.py`: where the rest comes from
fill_workflow.py      the calls of one run from its inputs and results
code_places.py        whether a value may stand in a command; `open_quotes.py`: in quotes there
result_shape.py       what of a result is no surprise
workflow_record.py    the workflow of a pattern, and what it has saved
clean_runs.py         which runs count; `read_runs.py`: those of a pattern, read from the log again
"""
