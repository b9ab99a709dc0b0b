"""English words are compared by their stems, Chinese by pairs of characters."""

from dataagent_core.language.common_words import is_common
from dataagent_core.language.word_split import split_words, stem_word


def test_the_forms_of_a_word_have_one_stem():
    for forms in (
        ("review", "reviews", "reviewed", "reviewing", "reviewer"),
        ("plan", "plans", "planned", "planning"),
        ("summary", "summaries"),
        ("invoice", "invoices", "invoiced"),
        ("deploy", "deployment", "deployments"),
    ):
        assert len({stem_word(form) for form in forms}) == 1, forms


def test_short_words_and_chinese_stay_as_they_are():
    assert [stem_word(word) for word in ("css", "sql", "as", "审查")] == [
        "css",
        "sql",
        "as",
        "审查",
    ]


def test_words_of_any_request_are_common():
    words = split_words("Please help me with the contract, 请帮我看看合同")
    assert [word for word in words if not is_common(word)] == ["contract", "看合", "合同"]
