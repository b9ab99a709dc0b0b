"""Runs: the work for one message, which belongs to the server and not to a connection.

Start at `service.py` (the operations of users) and `worker/inline_runner.py` (who does the work).
"""
