"""One person's sources in a file: found again, sealed, and never half written."""

import json
from pathlib import Path

import pytest

from dataagent_core.errors import ConfigurationError, ConflictError, NotFoundError, StorageError
from dataagent_core.secrets import Cipher, open_keyring
from dataagent_core.tools.data.sources.source_names import make_source_name, remove_secrets
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.sources.source_store import FileSourceStore

URL = "postgresql://annemarie:s3cret@db/shop"
SPEC = SourceSpec(
    name="shop", kind="postgres", location=URL, description="orders", personal=("customers.name",)
)


def open_store(folder: Path, tenant: str = "local") -> FileSourceStore:
    return FileSourceStore(
        folder / "sources.json", lambda: Cipher(open_keyring(folder / "secret.key")), tenant
    )


async def test_a_source_is_found_again_as_it_was(tmp_path: Path):
    await open_store(tmp_path).add(SPEC)
    assert await open_store(tmp_path).find("shop") == SPEC
    assert list(await open_store(tmp_path).listed()) == [SPEC]


async def test_no_secret_is_in_the_file_or_in_what_is_printed(tmp_path: Path):
    await open_store(tmp_path).add(SPEC)
    text = (tmp_path / "sources.json").read_text()
    assert "s3cret" not in text
    assert "annemarie" not in text  # long: sealed text is random letters too
    assert "s3cret" not in repr(SPEC)
    assert (tmp_path / "sources.json").stat().st_mode & 0o077 == 0


@pytest.mark.requirement("F5-1")
async def test_a_sealed_address_is_bound_to_its_name_and_tenant(tmp_path: Path):
    await open_store(tmp_path).add(SPEC)
    with pytest.raises(StorageError):
        await open_store(tmp_path, tenant="other").listed()
    known = json.loads((tmp_path / "sources.json").read_text())
    (tmp_path / "sources.json").write_text(json.dumps({"else": known["shop"]}))
    with pytest.raises(StorageError):
        await open_store(tmp_path).listed()


async def test_a_name_is_only_replaced_on_purpose(tmp_path: Path):
    await open_store(tmp_path).add(SPEC)
    with pytest.raises(ConflictError, match="shop"):
        await open_store(tmp_path).add(SPEC)
    await open_store(tmp_path).add(SPEC, replace=True)
    await open_store(tmp_path).remove("shop")
    assert await open_store(tmp_path).find("shop") is None


async def test_removing_what_is_not_there_names_the_nearest(tmp_path: Path):
    await open_store(tmp_path).add(SPEC)
    with pytest.raises(NotFoundError, match="Did you mean 'shop'"):
        await open_store(tmp_path).remove("shops")


@pytest.mark.parametrize("text", ["", "[1]", "{", "\x00"])
async def test_a_broken_file_is_named_and_not_written_over(tmp_path: Path, text: str):
    (tmp_path / "sources.json").write_text(text)
    with pytest.raises(ConfigurationError, match=r"sources\.json"):
        await open_store(tmp_path).add(SPEC)
    assert (tmp_path / "sources.json").read_text() == text


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        (URL, "postgresql://annemarie:***@db/shop"),
        ("mysql://ann@db:3307/shop?password=x", "mysql://ann@db:3307/shop"),
        ("/data/sales.csv", "/data/sales.csv"),
    ],
)
def test_a_place_is_shown_without_its_secrets(location: str, shown: str):
    assert remove_secrets(location) == shown


@pytest.mark.parametrize(
    ("stem", "name"), [("sales", "sales"), ("2025 sales!", "file_2025_sales"), ("销售", "file")]
)
def test_any_file_name_makes_a_source_name(stem: str, name: str):
    assert make_source_name(stem) == name
