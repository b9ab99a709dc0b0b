"""Runs: the work done for one message, which belongs to the server and not to a connection.

Start at `service.py` (what a person can ask for) and `worker/inline_runner.py` (who does the work).
"""
