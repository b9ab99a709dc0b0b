"""The console has texts for all codes of the server."""

import re
from pathlib import Path
from typing import get_args

from dataagent_server.common.error_table import TABLE
from dataagent_server.identity.auth.may import Kind

_WEB = Path(__file__).parents[2] / "web/src"


def test_every_code_of_an_error_has_its_words_in_both_languages():
    text = (_WEB / "api/errors.texts.ts").read_text()
    said = text[text.index("codeTexts") : text.index("errorTexts")]
    assert {
        code: len(re.findall(rf"^    {code}: ", said, re.MULTILINE)) for code in TABLE
    } == dict.fromkeys(TABLE, 2)


def test_the_audit_log_is_filtered_by_every_kind_of_thing_that_is_changed():
    text = (_WEB / "pages/audit/Filters.tsx").read_text()
    kinds = set(re.findall(r'^  "(\w+)",$', text, re.MULTILINE))
    # These three do not change; the outcome of a result is not recorded.
    assert kinds >= set(get_args(Kind)) - {"audit", "installation", "usage", "result"}
