"""Engines' sentences without the values they quote."""

import pytest

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.privacy.failure_text import redact_failure

PERSONAL = [
    "Conversion Error: Could not convert string 'Zhang Wei' to INT32",
    'invalid input syntax for type integer: "Zhang Wei"',
    'duplicate key value violates unique constraint "people_pkey" Key (full_name)=(Zhang Wei)',
    "Duplicate entry 'Zhang Wei' for key 'PRIMARY'",
    "Invalid Input Error: Zhang Wei",
    "Zhang Wei",
    "malformed JSON",
]


@pytest.mark.parametrize("said", PERSONAL)
def test_a_query_of_personal_columns_keeps_the_first_words(said: str):
    error = QueryFailedError(f"The source 's': {said}", said=said)
    told = redact_failure(error, personal=True)
    assert "Zhang" not in str(told)
    assert "Wei" not in str(told)
    assert "The source 's': " in str(told)
    assert told.for_person == str(error)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Could not convert string 'secret' to INT32", "Could not convert string '…' to INT32"),
        ("Key (a, b)=(1, secret (x)) already exists.", "Key (a, b)=… already exists."),
        ("null value. Failing row contains (1, secret, 2).", "null value. Failing row contains …."),
        ('column "price" does not exist', 'column "price" does not exist'),
        ("CSV Error on Line: 4\nOriginal Line: 1,secret,x\nmore", None),
        ("bad value secret@example.com here", None),
    ],
)
def test_of_other_queries_only_values_are_taken_out(said: str, told: str | None):
    error = QueryFailedError(f"s: {said}", said=said)
    shown = str(redact_failure(error, 'SELECT "price" FROM t'))
    assert "secret" not in shown
    assert told is None or shown == f"s: {told}"


def test_our_own_sentences_pass():
    error = QueryFailedError("'people' did not answer within 1 s and was stopped.")
    assert redact_failure(error, personal=True) is error
