"""Addresses: what is let through, and what is refused before anything connects."""

import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.sources.engines.server_engine import ServerEngine
from dataagent_core.tools.data.sources.server_url import parse_server_address
from dataagent_core.tools.data.sources.source_spec import SourceSpec


def test_an_address_is_read_with_its_escapes() -> None:
    address = parse_server_address("postgresql+psycopg2://ad%40a:p%2Fw%23@db.example:6543/my%20db")
    assert (address.host, address.port, address.user) == ("db.example", 6543, "ad@a")
    assert (address.password, address.database) == ("p/w#", "my db")
    assert "p/w#" not in repr(address)
    assert parse_server_address("mysql://a@[::1]/d").host == "::1"
    assert parse_server_address("mariadb://a@h/d?charset=utf8mb4&ssl=true").options == {
        "ssl": "require"
    }
    assert parse_server_address("postgres://a@h/d?sslmode=verify-full").options == {
        "sslmode": "verify-full",
        "sslrootcert": "system",
    }


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://a:pw@h/d?service=admin",
        "postgresql://a:pw@h/d?passfile=/etc/passwd",
        "postgresql://a:pw@h/d?sslkey=/root/key",
        "postgresql://a:pw@h/d?sslrootcert=/etc/passwd",
        "postgresql://a:pw@h/d?options=-c%20default_transaction_read_only=off",
        "postgresql://a:pw@h/d?host=/var/run/postgresql",
        "postgresql://a:pw@h/d?sslmode=allow",
        "postgresql://a:pw@h/d?SSLMODE=disable",
        "postgresql://a:pw@h/d?connect_timeout=0",
        "postgresql://a:pw@h1,h2/d",
        "postgresql://a:pw@%2Fvar%2Frun/d",
        "postgresql:///d",
        "postgresql://h/d",
        "mysql://a:pw@h/d?init_command=DROP%20TABLE%20t",
        "mysql://a:pw@h/d?local_infile=1",
        "mysql://a:pw@h/d?read_default_file=/root/.my.cnf",
        "mysql://a:pw@h/d?unix_socket=/run/mysqld.sock",
        "mysql://a:pw@h/d?client_flag=65536",
        "mysql://a:pw@h/d?ssl_key=/root/key",
        "mysql://a:pw@h:port/d",
        "mysql://a:p#w@h/d",
        "mysql://a:pw@h/d d",
        "http://a:pw@h/d",
        "mysql://a:" + "p" * 5_000 + "@h/d",
    ],
)
def test_an_address_that_could_do_more_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ValidationError) as refused:
        parse_server_address(url)
    assert "pw" not in str(refused.value)
    assert "p#w" not in str(refused.value)


def test_an_engine_is_only_made_for_a_good_address() -> None:
    with pytest.raises(ValidationError, match="service"):
        ServerEngine(SourceSpec(name="s", kind="postgres", location="postgres://a@h/d?service=x"))
