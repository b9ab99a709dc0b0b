"""What becomes of a memory that is added: it is new, says what is known, or closes an older one.

text_likeness.py    two texts that say the same, word for word or nearly
statement.py        what a text says something about: `i live in`; `statement_rules.py`: the rules
moments.py          since when, and until when, a text says that it is true
merge.py            one memory made of two that say the same
memory_writer.py    finds what a new memory meets in its scope, and stores all of it at once
"""
