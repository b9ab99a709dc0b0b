"""The catalogue of a source: searched, described, profiled, and cached until it changes.

catalogue_cache.py     the catalogue of a source, read again when its fingerprint changes;
                       its visible part
catalogue_search.py    tables and columns by words, in English and Chinese
table_description.py   a table as a model reads it: columns, keys, comments, samples
"""

from dataagent_core.tools.data.catalog.catalogue_cache import CatalogueCache, filter_visible
from dataagent_core.tools.data.catalog.catalogue_search import (
    CatalogueEntry,
    CatalogueMatches,
    make_table_entries,
    search_entries,
)
from dataagent_core.tools.data.catalog.table_description import render_profile, render_table

__all__ = [
    "CatalogueCache",
    "CatalogueEntry",
    "CatalogueMatches",
    "filter_visible",
    "make_table_entries",
    "render_profile",
    "render_table",
    "search_entries",
]
