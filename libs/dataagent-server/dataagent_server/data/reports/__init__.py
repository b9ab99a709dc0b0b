"""Reports on the server: kept as definitions, run by a person or by the clock.

report_records.py            the words
limits.py           how many, how often, how long
report_rows.py      the SQL of reports and their runs
report_service.py          making, seeing, changing, deleting reports
run_files.py        the files of a run in its owner's own folder
report_runner.py    a report run for its owner
cron.py             when a schedule is due, and what is missed; pure
schedule_rows.py    the SQL of schedules, with their leases
schedule_service.py        making, seeing, changing, deleting schedules
session_reports.py  the reports of one session, for its agent
active_runs.py      runs under way that a person waits for
webhook.py          telling another server that a run is done
scheduler.py        looks what is due and runs it
"""
