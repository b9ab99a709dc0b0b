"""What there is to ask: found by words, described, profiled, and cached until it changes.

cache.py      a source's catalogue, read again when its fingerprint changes
visible.py    the part of it that is not hidden
search.py     tables and columns by words, in English and Chinese
describe.py   a table as a model reads it: columns, keys, comments, samples
"""

from dataagent_core.tools.data.catalog.cache import CatalogueCache
from dataagent_core.tools.data.catalog.describe import described_table, profile_figures
from dataagent_core.tools.data.catalog.search import Entry, Found, entries_of, search
from dataagent_core.tools.data.catalog.visible import visible

__all__ = [
    "CatalogueCache",
    "Entry",
    "Found",
    "described_table",
    "entries_of",
    "profile_figures",
    "search",
    "visible",
]
