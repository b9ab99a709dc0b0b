"""`dataagent-server users | keys | tenants | audit`, as an operator types them."""

import ast
import re
import sqlite3
from pathlib import Path
from typing import Protocol

import pytest
from click.testing import CliRunner

from dataagent_server.cli import main as commands
from dataagent_server.cli.main import cli, exit_code_of
from dataagent_server.cli.serve.texts import TEXTS

_SAYS = re.compile(r"^click\.echo$|^prompt$|Error$")
_WORDS = re.compile(r"""^f?['"].*[A-Za-z]{2,} [a-z]{2,}""")
_HAN = re.compile("[\u4e00-\u9fff]")


class Say(Protocol):
    def __call__(self, *arguments: str, code: int = 0) -> str: ...


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATAAGENT_HOME", str(tmp_path / "home"))
    for name in ("DATAAGENT_DATABASE_URL", "DATAAGENT_SECRET_KEY_FILE", "DATAAGENT_PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    def run(*arguments: str, code: int = 0) -> str:
        ended = exit_code_of(list(arguments))
        captured = capsys.readouterr()
        assert ended == code, captured.err
        return captured.out.strip() or captured.err.strip()

    return run


def test_an_operator_makes_a_tenant_with_people_and_keys(say: Say):
    assert say("tenants", "create", "Acme", "--id", "acme") == "acme"
    user_id = say("users", "add", "Ann", "--tenant", "acme", "--role", "owner")
    assert user_id in say("users", "list", "--tenant", "acme")
    key = say(
        "keys",
        "create",
        "laptop",
        "--tenant",
        "acme",
        "--user",
        "ann",
        "--scope",
        "chat",
        "--days",
        "3",
    )
    assert key.startswith("da_")
    listed = say("keys", "list", "--tenant", "acme", "--user", "ann", "--json")
    assert key not in listed
    key_id = key.split("_")[1]
    assert key_id in listed
    say("keys", "revoke", key_id, "--tenant", "acme")
    say("users", "role", "ann", "admin", "--tenant", "acme", code=1)
    say("tenants", "suspend", "acme")
    assert "False" in say("tenants", "list")


def test_a_sign_in_url_is_printed_for_the_first_admin(say: Say):
    assert say("users", "sign-in-url").startswith(
        "http://127.0.0.1:8000/api/v1/auth/sign-in?token="
    )
    assert say("users", "sign-in-url", "--url", "https://a.example/").startswith(
        "https://a.example/api/"
    )


def test_what_is_not_there_is_said(say: Say):
    assert "no tenant 'nope'" in say("users", "add", "bob", "--tenant", "nope", code=1)
    assert "no user 'nope'" in say("keys", "create", "x", "--user", "nope", code=1)
    assert "no key" in say("keys", "revoke", "nope", code=1)
    assert "no tenant" in say("audit", "verify", "--tenant", "nope", code=1)


def test_verify_says_ok_then_where_it_is_broken(say: Say, home: Path):
    say("users", "add", "ann")
    say("users", "add", "bob")
    assert say("audit", "verify") == "local: ok, 3 rows"
    anchor = say("audit", "head", "--tenant", "local").split()[1]
    assert len(say("audit", "export").splitlines()) == 3
    say("users", "add", "carl")
    assert "ok" in say("audit", "verify", "--tenant", "local", "--expect", anchor)
    assert "BROKEN at row 3" in say(
        "audit", "verify", "--tenant", "local", "--expect", "3:" + "0" * 64, code=1
    )
    with sqlite3.connect(home / "dataagent.db") as connection:
        connection.execute("UPDATE audit_log SET actor = 'nobody' WHERE seq = 2")
    connection.close()
    assert "local: BROKEN at row 2: row 2 was changed" in say("audit", "verify", code=1)


def test_a_password_is_read_from_standard_input(say: Say, monkeypatch: pytest.MonkeyPatch):
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"correct horse battery\n")))
    say("users", "password", "--password-stdin")
    assert "True" in say("users", "list")


def test_another_key_file_is_refused_with_the_way_out(say: Say, home: Path):
    say("users", "list")
    (home / "secret.key").unlink()
    assert "Restore the key file" in say("users", "list", code=2)


def test_a_chinese_operator_reads_chinese(say: Say, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATAAGENT_LANGUAGE", "zh")
    say("users", "add", "ann")
    assert say("users", "role", "ann", "admin") == "ann 现在的角色是 admin。"
    assert say("users", "remove", "ann") == "ann 已移除。"
    assert "错误:没有租户 'nope'。" in say("users", "add", "bob", "--tenant", "nope", code=1)
    assert say("audit", "verify").startswith("local:完好")


def test_a_password_is_asked_for_in_chinese_until_both_are_the_same(
    say: Say, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DATAAGENT_LANGUAGE", "zh")
    typed = "\n".join(["correct horse", "another horse", *["correct horse battery"] * 2, ""])
    done = CliRunner().invoke(cli, ["users", "password"], input=typed)
    assert done.exit_code == 0, done.output
    assert done.stderr.split() == [
        "新密码:", "再次输入:", "两次输入不一致;请重试。", "新密码:", "再次输入:",
    ]  # fmt: skip
    assert done.stdout == "local 的密码已设置。\n"
    assert "True" in say("users", "list")


def test_what_the_services_refuse_is_said_in_chinese(
    say: Say, home: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DATAAGENT_LANGUAGE", "zh")
    say("users", "add", "ann")
    assert say("users", "add", "ann", code=1) == "错误:用户 'ann' 已存在。"
    assert "错误:'a b' 不能作为用户名" in say("users", "add", "a b", code=2)
    assert say("keys", "create", "x" * 300, code=2).startswith("错误:名称有 300 个字符")
    with sqlite3.connect(home / "dataagent.db") as connection:
        connection.execute("UPDATE audit_log SET actor = 'nobody' WHERE seq = 2")
    connection.close()
    assert say("audit", "verify", code=1) == "local:第 2 行处已损坏:第 2 行被改动"


@pytest.mark.parametrize("place", ["config.toml", ".env"])
def test_the_commands_speak_the_language_of_the_settings(
    say: Say, home: Path, monkeypatch: pytest.MonkeyPatch, place: str
):
    for name in ("DATAAGENT_LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    home.mkdir()
    if place == ".env":
        Path(".env").write_text("DATAAGENT_LANGUAGE=zh\n")
    else:
        (home / "config.toml").write_text('language = "zh"\n')
    assert say("--help").startswith("用法:dataagent-server")
    assert "错误:没有租户 'nope'。" in say("users", "add", "bob", "--tenant", "nope", code=1)
    assert say("migrate").endswith("已是最新")


def test_every_sentence_of_the_commands_is_in_both_languages():
    """A command prints and raises what the catalogue says, and no words of its own."""
    own: list[str] = []
    for file in Path(commands.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and _SAYS.search(ast.unparse(node.func)):
                literal = [a for a in node.args if isinstance(a, (ast.Constant, ast.JoinedStr))]
                texts = map(ast.unparse, literal)
                own += [f"{file.name}: {text}" for text in texts if _WORDS.search(text)]
    assert own == []
    # An address has no words.
    assert [key for key, (_, chinese) in TEXTS.items() if not _HAN.search(chinese)] == ["docs"]
