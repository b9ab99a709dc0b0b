"""Certificates are read once, and anew where the environment names others."""

import ssl
from pathlib import Path

import certifi
import pytest

from dataagent_core.mcp.tls import trusted_certificates


def test_all_clients_share_what_was_read():
    assert trusted_certificates() is trusted_certificates()
    assert trusted_certificates().verify_mode is ssl.CERT_REQUIRED
    assert trusted_certificates().check_hostname


def test_an_authority_of_the_environment_counts_only_where_it_is_trusted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    alone = trusted_certificates(trust_env=False)
    first = Path(certifi.where()).read_text().partition("-----END CERTIFICATE-----\n")
    (tmp_path / "one.pem").write_text(first[0] + first[1])
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "one.pem"))
    assert len(trusted_certificates().get_ca_certs()) == 1
    assert trusted_certificates(trust_env=False) is alone
