"""Looks for what is unclean all the same: kept before a rule, by another version, or by hand.

doctor_report.py   what was found
memory_doctor.py   the examination of one person's memories
memory_tidier.py   what a nightly job does about it
"""
