"""Package registries of a project: asked once, kept with the person, and no other host."""

from ipaddress import ip_address
from pathlib import Path

import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.permissions.rule_files.registries import (
    allow_registries,
    allowed_registries,
    usual_registries,
    were_registries_asked,
)
from dataagent_core.sandbox.network.egress import EgressPolicy

LOOPBACK = ip_address("127.0.0.1")


def test_an_answer_is_kept_for_its_folder_and_a_no_is_one_too(tmp_path: Path):
    home, one, other = tmp_path / "home", tmp_path / "one", tmp_path / "other"
    assert not were_registries_asked(home, one)
    allow_registries(home, one, ("pypi.org", "127.0.0.1:8080"))
    allow_registries(home, other, ())
    assert allowed_registries(home, one) == ("pypi.org", "127.0.0.1:8080")
    assert allowed_registries(home, other) == ()
    assert were_registries_asked(home, other)
    assert not were_registries_asked(home, tmp_path)


def test_the_usual_registries_follow_from_what_is_at_the_top(tmp_path: Path):
    assert usual_registries(tmp_path) == ()
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "package.json").touch()
    hosts = ("pypi.org", "files.pythonhosted.org", "registry.npmjs.org")
    assert usual_registries(tmp_path) == hosts


@pytest.mark.parametrize("host", ["", "*", "https://pypi.org", "a b", "*.*", "a/b", "pypi.org:"])
def test_what_is_no_host_is_refused(tmp_path: Path, host: str):
    with pytest.raises(ValidationError, match="is no host"):
        allow_registries(tmp_path, tmp_path, (host,))


def test_a_host_with_its_port_is_meant_as_it_is_and_others_are_judged():
    egress = EgressPolicy(hosts=("127.0.0.1:8080", "pypi.org"))
    assert egress.explain_refusal("127.0.0.1", 8080) is None
    assert egress.explain_address_refusal("127.0.0.1", 8080, LOOPBACK) is None
    assert egress.explain_refusal("127.0.0.1", 8081) is not None
    assert egress.explain_refusal("pypi.org", 8080) is not None
    assert egress.explain_refusal("pypi.org", 443) is None
    # A listed name that points into the host's own network.
    assert egress.explain_address_refusal("pypi.org", 443, LOOPBACK) == "loopback"
