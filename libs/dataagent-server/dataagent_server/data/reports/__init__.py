"""Reports on the server: stored as definitions, run by a user or by a schedule.

report_records.py    reports, runs and schedules as values
limits.py            their limits
report_rows.py       the SQL of reports and their runs
report_service.py    creates, reads, changes and deletes reports
run_files.py         the files of a run in its owner's folder
report_runner.py     runs a report for its owner
cron.py              when a schedule is due; pure
schedule_rows.py     the SQL of schedules, with their leases
schedule_service.py  creates, reads, changes and deletes schedules
session_reports.py   the reports of one session, for its agent
active_runs.py       runs that a user waits for
webhook.py           notifies another server that a run is done
scheduler.py         finds due schedules and runs them
"""
