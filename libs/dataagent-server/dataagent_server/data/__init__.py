"""Data on the server: sources, queries, results, semantic models, saved questions, reports.

`data_services.py` is what routes and runs use; the folders hold one feature each.
"""
