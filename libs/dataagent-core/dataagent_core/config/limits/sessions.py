"""Limits of titles, search, copies, exports and bundles of sessions."""

from typing import Final

TITLE_CHARS_MAX: Final = 200

# Search: the query, the sessions searched, and the snippets shown.
SEARCH_CHARS_MAX: Final = 200
SEARCH_WORDS_MAX: Final = 10
SEARCH_PAGE_DEFAULT: Final = 20
SEARCH_PAGE_MAX: Final = 100
# Sessions whose messages are searched at once.
SEARCH_SESSIONS_AT_ONCE: Final = 50
# After so many sessions a page ends although it is not full; the next one continues there.
SEARCH_SESSIONS_PER_PAGE_MAX: Final = 2_000
SNIPPET_CHARS_MAX: Final = 160

# Events of a copied session that are written at once.
COPY_EVENTS_AT_ONCE: Final = 500

# The part of a tool call that an export shows.
EXPORT_RESULT_CHARS_MAX: Final = 20_000

# Bundles are untrusted: everything read from them is bounded.
BUNDLE_BYTES_MAX: Final = 1_000_000_000
BUNDLE_PART_BYTES_MAX: Final = 200_000_000
BUNDLE_DIRECTORY_BYTES_MAX: Final = 10_000_000
BUNDLE_LINE_BYTES_MAX: Final = 20_000_000
BUNDLE_EVENTS_MAX: Final = 500_000
BUNDLE_MESSAGES_MAX: Final = 100_000
BUNDLE_FILES_MAX: Final = 20_000
BUNDLE_FILE_BYTES_MAX: Final = 200_000_000
BUNDLE_WORKSPACE_BYTES_MAX: Final = 1_000_000_000
BUNDLE_PATH_BYTES_MAX: Final = 1_000
BUNDLE_NAME_BYTES_MAX: Final = 255
BUNDLE_FOLDERS_DEEP_MAX: Final = 30
BUNDLE_COPY_BYTES: Final = 1_000_000
BUNDLE_ID_CHARS_MAX: Final = 500
