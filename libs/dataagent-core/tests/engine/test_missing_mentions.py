"""Names with `@` that nothing has are found before a message is sent."""

from pathlib import Path

import pytest
from agents import executor, scripted, settings
from query_services import Listed

from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.results import FolderResultStore
from dataagent_core.tools.data.sources.source_kinds import make_source_spec


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").touch()
    (folder / "my data.csv").touch()
    return folder


async def missing(text: str, work: Path) -> list[str]:
    (work.parent / "sales.csv").write_text("a\n1\n")
    sources = Listed(make_source_spec("shop", str(work.parent / "sales.csv"), None))
    data = DataAccess(
        sources=sources, results=FolderResultStore(work.parent / "results", bytes_max=1_000)
    )
    agent = executor(scripted({"text": "ok"}), work, chosen=settings(), data=data)
    try:
        return await agent.missing_mentions(text)
    finally:
        await agent.aclose()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("look at @src/a.py and @src/ and @src", []),
        ("look at @/src/a.py", []),
        ('look at @"my data.csv", @my\\ data.csv and @shop.', []),
        ("look at @sales.csv!", ["sales.csv"]),
        ("look at @../sales.csv", ["../sales.csv"]),
        ('@"no such.csv"', ["no such.csv"]),
        ("看 @销售/一月。", ["销售/一月"]),
        ("ask @shopp", ["shopp"]),
        ("read @docz:note:///1", ["docz:note:///1"]),
        ("see\n@src/b.py", ["src/b.py"]),
    ],
)
async def test_a_name_that_nothing_has_is_listed(text: str, names: list[str], work: Path):
    assert await missing(text, work) == names


@pytest.mark.parametrize(
    "text",
    [
        "mail me@example.com",
        "@dataclass\nclass A:\n    pass",
        "update @babel/core and @types/node@20.1.0 please",
        "why does `@app.route` fail?",
        "why does this fail?\n```python\n@app.route\ndef a(): ...\n```",
        "why does this fail?\n~~~\n@pytest.fixture\n",
    ],
)
async def test_an_at_sign_in_code_or_mail_is_no_name(text: str, work: Path):
    assert await missing(text, work) == []
