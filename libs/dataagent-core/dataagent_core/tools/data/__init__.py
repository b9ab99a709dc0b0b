"""Answers from data: a question becomes SQL that was checked, and a result that is kept.

data_model.py     the words: dialect, column, table, catalogue sources/     what can be asked, and
the engine that answers for each inside/      the programs of the worker processes: databases are
only ever opened there guard/       SQL that may run, and only as it was read and checked results/
what came back, kept under an id catalog/     what there is to ask: search, description, profile
privacy/     what a model may not read semantic/    metrics, dimensions and verified questions of a
project charts/ reports/   what a person looks at and sends on receipts/    each figure of an answer
traced to a result query_service.py      the one way from SQL to a result; every tool, command and
route goes through it
"""
