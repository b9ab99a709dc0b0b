"""Interaction patterns of a tenant over REST (S2 §6.5.8, §14.2); core learns and uses them.

pattern_record.py    what a person writes of a pattern, and what is shown beside it
pattern_rows.py      lists of patterns, and the runs one was learned from
pattern_writes.py    core's statements with more in the same transaction: audit, offers
pattern_service.py   shows, makes, changes and deletes patterns, with rights
workflow_runs.py     whose runs a workflow may be compiled from
workflow_service.py  shows, compiles, stores and deletes the workflows of patterns, with rights
offer_copy.py        what of a pattern another tenant may have
offer_rows.py        the SQL of offers
pattern_shares.py    offers a pattern to another tenant, which accepts or declines it
"""
