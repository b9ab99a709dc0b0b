"""What looks personal, and what only speaks of it."""

import pytest

from dataagent_core.tools.data.privacy import (
    detect_name_kind,
    detect_values_kind,
    mask_value,
    scrub_text,
)
from dataagent_core.tools.data.privacy.personal_columns import matches_patterns


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("email", "email"),
        ("userEmail", "email"),
        ("customer_email_address", "email"),
        ("phone_number", "phone"),
        ("full_name", "name"),
        ("CustomerName", "name"),
        ("home_address", "address"),
        ("date_of_birth_dob", "birth date"),
        ("手机号", "phone"),
        ("客户姓名", "name"),
        ("身份证号码", "id number"),
        ("password_hash", "secret"),
        ("emails", "email"),
        ("e_mail", "email"),
        ("e-mail", "email"),
        ("customer_mail", "email"),
        ("phones", "phone"),
        ("tel", "phone"),
        ("cellphone", "phone"),
        ("phone_num", "phone"),
        ("fullname", "name"),
        ("firstname", "name"),
        ("LASTNAME", "name"),
        ("client_name", "name"),
        ("patient_name", "name"),
        ("employee_name", "name"),
        ("addr", "address"),
        ("idcard", "id number"),
        ("id_card_no", "id number"),
        ("card_no", "card"),
        ("social_security_number", "id number"),
        ("ip_addr", "address"),
        ("wechat", "account"),
        ("名字", "name"),
        ("用户名", "name"),
        ("微信号", "account"),
    ],
)
def test_a_personal_column_is_known_by_its_name(name: str, kind: str):
    assert detect_name_kind(name) == kind


@pytest.mark.parametrize(
    "name",
    [
        "email_sent_count",
        "is_email_verified",
        "product_name",
        "city",
        "amount",
        "phone_type",
        "id",
        "is_phone_verified",
        "email_domain",
        "birth_rate",
        "store_name",
        "hotel",
        "ship_mode",
    ],
)
def test_a_column_about_such_a_thing_is_not_personal(name: str):
    assert detect_name_kind(name) is None


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a@b.com", "c.d@example.org", "e+f@mail.co.uk", None], "email"),
        (["13812345678", "+86 139-1234-5678", "15900001111"], "phone"),
        (["11010519491231002X", "440524188001010014", "11010519491231002X"], "id number"),
        (["4111 1111 1111 1111", "5500005555555559", "340000000000009"], "card"),
        ([13812345678, 13912345678, 15900001111], "phone"),
    ],
)
def test_a_personal_column_is_known_by_its_values(values: list[object], kind: str):
    assert detect_values_kind(values) == kind


@pytest.mark.parametrize(
    "values",
    [
        ["110105194912310021", "440524188001010015", "110105194912310029"],  # wrong check digits
        ["4111 1111 1111 1112", "5500005555555558", "1234567812345678"],
        ["0000 0000 0000 0000"] * 3,
        ["2025-01-01", "2025-01-02", "2025-01-03"],
        [1, 2, 3],
        ["a@b.com", "x"],  # too few to tell
    ],
)
def test_values_that_only_look_so_are_not(values: list[object]):
    assert detect_values_kind(values) is None


def test_equal_values_are_masked_alike_and_none_stays_none():
    first, second = mask_value("a@b.com", "email", "r_1"), mask_value("a@b.com", "email", "r_1")
    assert first == second
    assert "a@b" not in str(first)
    assert mask_value("a@b.com", "email", "r_2") != first
    assert mask_value(None, "email", "r_1") is None


def test_what_is_personal_inside_a_text_is_taken_out_and_the_rest_stays():
    text = scrub_text("call 13812345678 or write to a.b@example.com about order 1234567")
    assert "13812345678" not in text
    assert "example.com" not in text
    assert text.endswith("about order 1234567")


@pytest.mark.parametrize(
    ("patterns", "table", "column", "expected"),
    [
        (["customers.email"], "main.customers", "EMAIL", True),
        (["*.phone"], "people", "phone", True),
        (["hr_*"], "hr_salaries", "amount", True),
        (["hr.*"], "hr.salaries", None, True),
        (["customers.email"], "orders", "email", False),
        ([], "customers", "email", False),
    ],
)
def test_marks_are_patterns_of_tables_and_columns(
    patterns: list[str], table: str, column: str | None, expected: bool
):
    assert matches_patterns(patterns, table, column) is expected
