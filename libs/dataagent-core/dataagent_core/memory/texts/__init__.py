"""What a text says, read by rules in English and Chinese: no model, and nothing is guessed.

clauses.py      the statements of a text, one by one
text_marks.py   the numbers, names, words and negation of a statement
whole_words.py  whether a text holds another
"""
