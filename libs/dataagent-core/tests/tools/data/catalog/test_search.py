"""Finding tables by words, and describing one."""

import pytest

from dataagent_core.tools.catalog.core_tools import estimate_tokens
from dataagent_core.tools.data.catalog import (
    filter_visible,
    make_table_entries,
    render_table,
    search_entries,
)
from dataagent_core.tools.data.data_model import Catalogue, Column, ColumnProfile, Table
from dataagent_core.tools.data.sources.source_spec import SourceSpec


def table(name: str, *columns: str, comment: str = "") -> Table:
    made = tuple(Column(name=column, type="TEXT", kind="text") for column in columns)
    return Table(name=name, columns=made, comment=comment, rows=10)


def catalogue(*tables: Table) -> Catalogue:
    return Catalogue(dialect="duckdb", tables=tables, fingerprint="f")


SHOP = catalogue(
    table("customers", "customer_id", "email", "city"),
    table("orders", "order_id", "customer_id", "ordered_at", comment="订单:一行一单"),
    table("order_lines", "order_id", "product_id", "unit_price"),
    table("audit_log", "at", "what"),
)


def names(query: str, found: Catalogue = SHOP, limit: int = 20) -> list[str]:
    return [
        entry.name
        for entry in search_entries(query, make_table_entries("shop", found), limit).entries
    ]


def test_a_table_is_found_by_its_name_its_columns_and_its_comment():
    assert names("orders")[0] == "orders"
    assert names("unit price") == ["order_lines"]
    assert names("订单")[0] == "orders"
    assert names("where do customers live, city?")[0] == "customers"


def test_a_rare_word_counts_more_than_a_common_one():
    assert names("customer email")[0] == "customers"


def test_words_that_fit_nothing_find_nothing_and_no_words_find_all():
    assert names("xylophone") == []
    assert len(names("")) == 4


@pytest.mark.requirement("F5-2")
def test_a_thousand_tables_fit_a_models_context():
    many = catalogue(
        *(
            table(f"t_{i}_orders_history", *(f"column_number_{j}" for j in range(50)))
            for i in range(1_000)
        )
    )
    found = search_entries("orders", make_table_entries("big", many), 20)
    assert len(found.entries) == 20
    assert found.more == 980
    assert estimate_tokens("\n".join(entry.line for entry in found.entries)) < 3_000


def test_what_the_owner_hides_is_not_in_the_catalogue():
    spec = SourceSpec(
        name="shop", kind="files", location="", hidden=("audit_log", "customers.email")
    )
    seen = filter_visible(SHOP, spec)
    assert [t.name for t in seen.tables] == ["customers", "orders", "order_lines"]
    assert [c.name for c in seen.tables[0].columns] == ["customer_id", "city"]


def test_a_description_shows_samples_but_not_of_personal_columns():
    profiles = [
        ColumnProfile(name="customer_id", samples=("1", "2")),
        ColumnProfile(name="email", samples=("a@example.com",), minimum="a@example.com"),
        ColumnProfile(name="city", samples=("Paris",), nulls_fraction=0.25, distinct=8),
    ]
    text = render_table(SHOP.tables[0], profiles, {"email": "email"}, profile=True)
    assert "city,TEXT,,~25.0%,~8,,,Paris," in text
    assert "example.com" not in text
    assert "[email: masked for you]" in text


def test_a_person_sees_all_of_it():
    profiles = [ColumnProfile(name="email", samples=("a@x.com", "b@x.com", "c@x.com"))]
    assert "a@x.com" not in render_table(SHOP.tables[0], profiles, {}, profile=False)
    assert "a@x.com" in render_table(SHOP.tables[0], profiles, None, profile=False)
