"""Saved questions: SQL that a user runs again, with its source and its chart.

saved_question.py          a question as it is shown, and the changes of one
question_rows.py           the SQL
saved_question_service.py  creates, reads, changes and deletes questions, with rights and audit
"""
