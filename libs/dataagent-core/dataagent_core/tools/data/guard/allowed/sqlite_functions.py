"""SQLite's functions.

Left out: extensions, files, `fts3_tokenizer`, `zeroblob`, `randomblob`, the library's and the
connection's own state, internals of full-text and R-tree tables.
"""

SQLITE = """
acosh asinh atanh cosh sinh tanh char datetime glob hex instr json json_group_array
json_group_object json_insert json_patch json_quote json_remove json_replace json_set json_pretty
jsonb jsonb_array jsonb_extract jsonb_object jsonb_group_array jsonb_group_object
julianday like likelihood likely unlikely max min octet_length printf quote strftime timediff total
typeof unicode unixepoch unhex substring concat concat_ws string_agg json_each json_tree
generate_series bm25 highlight snippet
"""
SQLITE_TABLES = "json_each json_tree generate_series"
