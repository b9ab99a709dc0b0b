"""Programs that show one kind of thing pass with the words that show, and with no others."""

import shlex

import pytest
from judging import decide, person

from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.request import PermissionRequest


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m json.tool a.json",
        "cat a.json | python3 -m json.tool --sort-keys | head",
        "python -m pip list",
        "python3 -m pip show requests",
        "sqlite3 -readonly a.db 'select count(*) from t'",
        "sqlite3 a.db .tables",
        "sqlite3 a.db '.schema orders'",
        "sqlite3 -header -csv a.db 'SELECT a FROM t LIMIT 3;'",
        "man ls",
        "man 5 crontab",
        "man -k socket",
        "npm run",
        "ss -tlnp",
        "netstat -tln",
        "lsof -i :8080",
        "zipinfo a.zip",
        "yq '.services | keys' docker-compose.yml",
        "yq eval .a a.yml",
        "yq .a a.yml b.yml",
        "yq -n '1 + 2'",
        "yq a.yml",
        "yq .import a.yml",
        "yq .a config/env.yml",
        "yq config/env.yml",
        "cat a.yml | yq .a",
        "sqlite3 a.db 'select max(a), count(distinct b) from t where c in (1, 2) group by d'",
        "sqlite3 a.db \"select * from t where lower(a) = 'x' and (b > 1 or c is null)\"",
        'sqlite3 a.db "select a, (select sum(b) from u) from t join v using (id)"',
        'sqlite3 a.db "select row_number() over (order by a) from t"',
        "sqlite3 a.db \"select name from pragma_table_info('t')\"",
        'sqlite3 a.db "select value from t, json_each(t.a)"',
        "sqlite3 a.db \"select strftime('%Y', a) from t\"",
        "shellcheck -x run.sh",
        "cloc src",
        "tokei",
        "scc --by-file src",
        "bat -p README.md",
    ],
)
def test_what_shows_is_allowed(line: str):
    assert decide(line) == "allow"


@pytest.mark.parametrize(
    "expression",
    [
        "env",
        "env(HOME)",
        "strenv(HOME)",
        ".a = env(X)",
        "$ENV.HOME",
        "envsubst",
        'load("x")',
        'load_str("/secrets/key")',
        'eval(".a")',
        'system("ls")',
        "input_filename",
        'include "x"; .a',
        'import "x" as x; .a',
        '"\\(env)"',
    ],
)
@pytest.mark.parametrize(
    "call", ["yq {}", "yq -n {}", "yq {} a.yml", "yq eval -P {}", "cat a | yq {}"]
)
def test_an_expression_of_yq_that_reaches_out_is_asked_about(call: str, expression: str):
    assert decide(call.format(shlex.quote(expression))) == "ask"


@pytest.mark.parametrize(
    "statement",
    [
        "select data from fsdir('/secrets/key')",
        "select data from fsdir where path = '/secrets/key'",
        "select data from \"fsdir\"('/secrets/key')",
        "select data from [FSDIR] ('/secrets/key')",
        "select data from 'fsdir'('/secrets/key')",
        "select data from zipfile('a.zip')",
        "select data from zipfile where file = 'a.zip'",
        "select sqlar_uncompress(data, sz) from sqlar",
        "select lsmode(1)",
        "select readfile('/secrets/key')",
        "select readfile/**/('/secrets/key')",
        "select readfile -- x\n('/secrets/key')",
        "select \"readfile\"('/secrets/key')",
        "select nobody_knows('x')",
        "select a from t where nobody_knows (a)",
        "select shell_add_schema('a')",
        "select * from pragma_temp_store_directory('/x')",
        "select * from generate_series(1, 1e18) where writefile('a', 'b')",
    ],
)
def test_a_select_of_sqlite_that_calls_more_than_known_functions_is_asked_about(statement: str):
    assert decide(f"sqlite3 a.db {shlex.quote(statement)}") == "ask"
    assert decide(f"sqlite3 -readonly a.db {shlex.quote(statement)}") == "ask"


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m json.tool a.json out.json",
        "python3 -m json.tool --unknown a",
        "python3 -m pip install x",
        "python3 -m pip list --log f",
        "python3 -m http.server",
        "python3 -c x -m json.tool",
        "python3 -i -m json.tool a",
        "python3 -mjson.tool a b",
        "sqlite3 a.db 'drop table t'",
        "sqlite3 a.db 'select 1; drop table t'",
        "sqlite3 a.db \"select writefile('f', 'x')\"",
        "sqlite3 a.db \"select load_extension('./x')\"",
        "sqlite3 a.db \"select edit ('x')\"",
        "sqlite3 a.db '.shell rm x'",
        "sqlite3 a.db '.output f'",
        "sqlite3 a.db '.schema' '.shell x'",
        "sqlite3 -cmd '.shell x' a.db 'select 1'",
        "sqlite3 -init f a.db 'select 1'",
        "sqlite3 a.db",
        "man -P x ls",
        "man ./ls",
        "man -l a",
        "man --pager=x ls",
        "npm run build",
        "npm run -- x",
        "ss -K",
        "ss -D f",
        "netstat x",
        "lsof -D f",
        "lsof +L1",
        "yq -i .a=1 a.yml",
        "yq '.a = env(X)' a.yml",
        "yq 'load(\"x\")' a.yml",
        "yq -s '.a' a.yml",
        "cloc --exec x",
        "cloc --vcs 'touch x' src",
        "cloc --report-file=f src",
        "cloc --read-lang-def=f src",
        "scc -o f",
        "tokei -o f",
        "bat --pager x a",
        "bat cache --build --source x",
        "bat --config-file x a",
        "shellcheck --rcfile=x a",
        "zipinfo -x a.zip",
        'sqlite3 a.db "$x"',
        'man "$x"',
    ],
)
def test_what_does_more_is_asked_about(line: str):
    assert decide(line) == "ask"


def test_a_database_that_would_be_created_is_opened_only_where_nothing_can_be_written():
    line = "sqlite3 missing.db 'select 1'"
    assert decide(line) == "allow"
    assert decide(f"{line} > a", person("allow write **")) == "ask"
    alone = PermissionRequest(tool="shell", args={"command": line}, layer="none")
    assert evaluate(alone, person()).action == "ask"
