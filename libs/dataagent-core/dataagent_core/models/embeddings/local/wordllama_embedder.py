"""The offline embedder: the mean of static token vectors, read from the package `wordllama`.

Its two files are read directly: its own loader asks the network although the files are there, and
needs numpy, tokenizers and huggingface-hub (110 MB installed, 0.3 s of imports). Here the first
text costs 40 ms, a sentence 0.1 ms. English is its strength; of Chinese it knows most characters
but few words, so a match of Chinese rests on pairs of characters too (`hybrid_score.py`).
"""

import asyncio
import json
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from dataagent_core.errors import ConfigurationError
from dataagent_core.models.embeddings.embedder import Vector, make_unit
from dataagent_core.models.embeddings.local.llama_tokenizer import LlamaTokenizer
from dataagent_core.models.embeddings.local.weight_file import WeightFile

_WEIGHTS: Final = "weights/l2_supercat_256.safetensors"
_VOCABULARY: Final = "tokenizers/l2_supercat_tokenizer_config.json"
# Of a longer text both ends are read.
_TOKENS_MAX: Final = 512
# More texts than this are embedded in a thread.
_TEXTS_AT_ONCE_MAX: Final = 4


class WordLlamaModel:
    """The tokenizer and the weights; read-only, so one serves the whole process."""

    def __init__(self, folder: Path) -> None:
        vocabulary = json.loads((folder / _VOCABULARY).read_bytes())["model"]["vocab"]
        self.tokenizer = LlamaTokenizer(vocabulary)
        self._weights = WeightFile(folder / _WEIGHTS)

    def embed(self, text: str) -> Vector:
        """Give the mean of the vectors of a text's tokens."""
        tokens = self.tokenizer.encode(text)
        if len(tokens) > _TOKENS_MAX:
            tokens = tokens[: _TOKENS_MAX // 2] + tokens[-_TOKENS_MAX // 2 :]
        rows = [self._weights.read_row(token) for token in tokens]
        return make_unit([sum(column) for column in zip(*rows, strict=True)])


@cache
def load_model() -> WordLlamaModel:
    """Open the files of the installed package, once in a process."""
    # Found, not imported: importing it would import what it needs.
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ConfigurationError(
            "The offline embeddings are not installed here: pip install wordllama==0.4.0.post1, or "
            "set DATAAGENT_EMBEDDING_MODEL=openai:NAME."
        )
    return WordLlamaModel(Path(spec.submodule_search_locations[0]))


class WordLlamaEmbedder:
    """Embeds with the weights of wordllama, 256 numbers a text."""

    name = "local"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Embed the texts; many of them in a thread."""
        if len(texts) <= _TEXTS_AT_ONCE_MAX and load_model.cache_info().currsize:
            return self.embed_now(texts)
        return await asyncio.to_thread(self.embed_now, texts)

    def embed_now(self, texts: Sequence[str]) -> list[Vector]:
        """Embed the texts in this thread."""
        model = load_model()
        return [model.embed(text) for text in texts]
