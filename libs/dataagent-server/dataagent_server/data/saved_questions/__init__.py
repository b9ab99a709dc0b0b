"""Questions people put to data themselves and want to ask again: SQL, its source, its chart.

saved_question.py          a question as it is shown, and what may be said of one
question_rows.py  the SQL
saved_question_service.py        saving, seeing, changing, removing; with rights and audit
"""
