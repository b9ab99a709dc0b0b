"""The offline embedder reads the files of wordllama, and knows which meanings are near."""

import struct
import sys
from pathlib import Path

import pytest

from dataagent_core.errors import ConfigurationError
from dataagent_core.models.embeddings.local import wordllama_embedder
from dataagent_core.models.embeddings.local.weight_file import WeightFile
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder
from dataagent_core.models.embeddings.vector_index import VectorIndex, cosine


def test_tokens_are_those_of_the_package_tokenizers():
    """Recorded with tokenizers 0.23.3 and the same vocabulary, without special tokens."""
    tokenizer = wordllama_embedder.load_model().tokenizer
    assert {text: tokenizer.encode(text) for text in RECORDED} == RECORDED


RECORDED = {
    "Review my pull request": [13957, 590, 8206, 2009],
    "查询知识图谱": [29871, 31213, 235, 178, 165, 31043, 235, 178, 137, 30861, 235, 179, 180],
    "naïve  café 🙂": [1055, 30085, 345, 274, 28059, 29871, 243, 162, 156, 133],
}


async def test_near_meanings_have_near_vectors():
    first, near, far = await WordLlamaEmbedder().embed(
        ["The invoice is overdue", "This bill has not been paid", "Birds fly south in winter"]
    )
    assert cosine(first, near) > cosine(first, far) + 0.1
    assert cosine(first, first) == pytest.approx(1.0, abs=1e-4)


async def test_a_text_without_words_has_a_vector_too():
    empty, spaces = await WordLlamaEmbedder().embed(["", "  \n"])
    assert len(empty) == len(spaces)


def test_nothing_heavy_is_imported():
    assert not {"wordllama", "tokenizers", "safetensors"} & set(sys.modules)


def test_a_missing_package_is_said_with_the_way_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(wordllama_embedder, "find_spec", _find_nothing)
    wordllama_embedder.load_model.cache_clear()
    with pytest.raises(ConfigurationError, match="DATAAGENT_EMBEDDING_MODEL"):
        WordLlamaEmbedder().embed_now(["a"])


@pytest.mark.parametrize(
    "content",
    [
        struct.pack("<Q", 1 << 60) + b"{}",
        struct.pack("<Q", 2) + b"{}",
        struct.pack("<Q", 85)
        + b'{"embedding.weight":{"dtype":"F16","shape":[32000,256],"data_offsets":[0,16384000]}}',
    ],
)
def test_a_broken_weight_file_is_refused(content: bytes, tmp_path: Path):
    path = tmp_path / "weights"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match="install it again"):
        WeightFile(path)


async def test_the_index_finds_what_comparing_all_finds():
    texts = [f"{verb} the {noun}" for verb in VERBS for noun in NOUNS]
    vectors = await WordLlamaEmbedder().embed(texts)
    (query,) = await WordLlamaEmbedder().embed(["mend the roof"])
    found = max(VectorIndex(vectors).find_nearest(query), key=lambda each: each[1])[0]
    assert found == max(range(len(texts)), key=lambda n: cosine(query, vectors[n]))


VERBS = ("write", "repair", "buy", "paint", "measure", "delete", "translate", "plan")
NOUNS = ("roof", "report", "table", "invoice", "query", "contract", "server", "photo", "recipe")


def _find_nothing(name: str) -> None:
    """Stand for `find_spec` where the package is not installed."""
