"""What the operator's commands may refuse is there in Chinese, and nothing that nobody says."""

from pathlib import Path

import pytest
from spoken_sentences import HAN, one_place, places, shape, spoken, written

import dataagent_server
from dataagent_core.language.chinese import in_chinese
from dataagent_server.cli.serve.error_texts import ERROR_TEXTS, PHRASES

SERVER = Path(dataagent_server.__file__).parent
# Where the parts are that `dataagent-server` works with.
FOLDERS = (
    "identity/audit", "identity/auth", "identity/tenants", "identity/users", "cli", "db", "settings",
)  # fmt: skip
# What only somebody who sends requests is told, and a defect.
NOT_FOR_OPERATORS = {
    "auth/authenticator.py",
    "auth/csrf.py",
    "auth/login_limits.py",
    "auth/may.py",
    "auth/presented_credentials.py",
    "db/types.py",
    "serve/protocol.py",
    "users/sign_in_service.py",
}

KNOWN = {one_place(shape(text)) for text in (*in_chinese.sentences, *ERROR_TEXTS, *PHRASES)}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_sentence_is_there_in_chinese(folder: str):
    said = spoken(SERVER / folder, NOT_FOR_OPERATORS)
    assert {text: file for text, file in said.items() if text not in KNOWN} == {}


def test_no_sentence_is_there_that_nobody_says():
    said = written(SERVER)
    texts = (*ERROR_TEXTS, *PHRASES)
    assert [text for text in texts if one_place(shape(text)) not in said] == []


def test_both_languages_fill_in_the_same():
    texts = {**ERROR_TEXTS, **PHRASES}
    assert [
        text for text, chinese in texts.items() if set(places(text)) != set(places(chinese))
    ] == []
    assert [text for text, chinese in texts.items() if not HAN.search(chinese)] == []
