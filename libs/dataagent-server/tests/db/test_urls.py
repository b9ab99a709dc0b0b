"""Which driver a URL gets, and what is taken out of it."""

import ssl
from pathlib import Path

import pytest
from sqlalchemy import make_url

from dataagent_core.errors import ConfigurationError
from dataagent_server.db.mysql_driver import split_tls
from dataagent_server.db.urls import database_url, postgres_dsn

pytestmark = pytest.mark.every_database


@pytest.mark.parametrize(
    ("text", "driver"),
    [
        ("sqlite:///a.db", "sqlite"),
        ("mysql://u@h/d", "mysql+aiomysql"),
        ("mariadb://u@h/d", "mysql+aiomysql"),
        ("mysql+pymysql://u@h/d", "mysql+aiomysql"),
        ("postgres://u@h/d", "postgresql+psycopg"),
        ("postgresql+asyncpg://u@h/d", "postgresql+psycopg"),
    ],
)
def test_the_first_word_decides_the_driver(text: str, driver: str):
    assert database_url(text).drivername == driver


def test_a_password_is_kept_for_the_driver_and_hidden_from_people():
    url = database_url("postgresql://u:p%40ss@h:5/d?sslmode=require")
    assert postgres_dsn(url) == "postgresql://u:p%40ss@h:5/d?sslmode=require"
    assert "p%40ss" not in str(url)
    assert "p@ss" not in str(url)


def test_mysql_gets_a_context_only_when_tls_is_asked_for(tmp_path: Path):
    plain, context = split_tls(make_url("mysql+aiomysql://u@h/d?charset=utf8mb4"))
    assert (str(plain), context) == ("mysql+aiomysql://u@h/d?charset=utf8mb4", None)
    plain, context = split_tls(make_url("mysql+aiomysql://u@h/d?ssl=true"))
    assert str(plain) == "mysql+aiomysql://u@h/d"
    assert context is not None
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert split_tls(make_url("mysql+aiomysql://u@h/d?ssl=false"))[1] is None
    with pytest.raises(ConfigurationError, match="certificate"):
        split_tls(make_url(f"mysql+aiomysql://u@h/d?ssl_ca={tmp_path / 'missing.pem'}"))
