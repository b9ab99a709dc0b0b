"""Logs of real runs, one event a line as `to_json` writes it: what Python and the console both read.

`NAME.jsonl` is a session's log, `NAME.turns.json` what the core's export tells of it. They are
recorded by `python -m tests.recorded_logs.record [NAME ...]`; tests only read them. `work_plan` is
written by hand: its runs hold each status of a plan and of a step, which no one real run does.
"""
