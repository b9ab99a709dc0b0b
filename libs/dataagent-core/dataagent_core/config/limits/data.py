"""The limits of the data tools, each named with its unit; the others are in `limits.py`."""

from typing import Final

# What one query may cost, and what is kept of it.
SQL_CHARS_MAX: Final = 100_000
SQL_NODES_MAX: Final = 20_000
SQL_DEEP_MAX: Final = 200
# Columns of all queries inside one: a short text can double them at every step.
SQL_COLUMNS_READ_MAX: Final = 200_000
# Catalogues whose names the guard keeps at hand.
GUARD_CATALOGUES_MAX: Final = 64
QUERY_TIMEOUT_S: Final = 30.0
QUERY_TIMEOUT_S_MAX: Final = 600.0
# What a plan may take: engines compute what is constant while they plan.
QUERY_PLAN_S: Final = 10.0
# How long SQL may be checked for, which may read the catalogue first.
QUERY_CHECK_S: Final = 30.0
QUERY_ROWS_DEFAULT: Final = 10_000
QUERY_ROWS_MAX: Final = 1_000_000
QUERY_BYTES_MAX: Final = 256 * 1024 * 1024
QUERY_MEMORY_BYTES_MAX: Final = 1_073_741_824
QUERY_PREVIEW_ROWS: Final = 50
QUERY_PREVIEW_BYTES_MAX: Final = 24_000
# An export of all rows, which a person asked for: how long, how many, and how large on disk.
EXPORT_S_MAX: Final = 3_600.0
EXPORT_ROWS_MAX: Final = 1_000_000_000
EXPORT_BYTES_MAX: Final = 8 * 1024 * 1024 * 1024
EXPORT_SERVED_BYTES_MAX: Final = 1024 * 1024 * 1024
# The same for a model's tool, within what a served call may take.
EXPORT_TOOL_S_MAX: Final = 300.0
RESULT_DAYS_MAX: Final = 7
RESULTS_BYTES_MAX: Final = 5 * 1024 * 1024 * 1024
RESULT_PAGE_ROWS_DEFAULT: Final = 100
RESULT_PAGE_ROWS_MAX: Final = 1_000
DATA_WORKER_IDLE_S: Final = 300.0
DATA_WORKER_START_S: Final = 30.0
DATA_WORKER_KILL_S: Final = 0.5
# Worker processes of one process of ours, sources open at once, and workers of one source: so many
# questions to it run side by side.
DATA_WORKERS_MAX: Final = 16
DATA_SOURCES_OPEN_MAX: Final = 16
DATA_WORKERS_OF_SOURCE_MAX: Final = 3
# A look at a source (not a query, whose own time counts) waits so long for one that is free.
DATA_BUSY_S: Final = 5.0
DATA_REPLY_BYTES_MAX: Final = 4_000_000
QUERY_CELL_CHARS_MAX: Final = 500
DATA_STDERR_BYTES_MAX: Final = 20_000

# What a catalogue shows, and how long it is taken to be as it was.
CATALOGUE_FRESH_S: Final = 5.0
# How long a question waits for a catalogue; reading it may take longer (`DATA_LOOK_S`).
CATALOGUE_WAIT_S: Final = 30.0
CATALOGUE_FOUND_DEFAULT: Final = 20
CATALOGUE_FOUND_MAX: Final = 50
CATALOGUE_LINE_CHARS_MAX: Final = 400
CATALOGUE_COLUMNS_SHOWN_MAX: Final = 200
CATALOGUE_SAMPLE_CHARS_MAX: Final = 40
CATALOGUE_SAMPLES_CHARS_MAX: Final = 500
PROFILE_SAMPLE_ROWS: Final = 10_000
# Each column costs a look of its own, and a file may have thousands.
PROFILE_COLUMNS_MAX: Final = 200
PROFILE_S: Final = 20.0
DESCRIBE_SAMPLE_ROWS: Final = 5
SOURCES_MAX: Final = 1_000
# Files as sources: how many, how large what is read of them at once, how long a look may take.
DATA_FILES_MAX: Final = 500
DATA_TABLES_MAX: Final = 5_000
DATA_FOLDER_NAMES_MAX: Final = 20_000
DATA_SNIFF_BYTES: Final = 4_096
DATA_LOOK_S: Final = 120.0
DATA_SPILL_BYTES_MAX: Final = 8 * 1024 * 1024 * 1024
# Beside what the engine itself counts: Python, Arrow, the batches on their way to disk.
DATA_WORKER_SPARE_BYTES: Final = 512 * 1024 * 1024
DATA_WORKER_THREADS_MAX: Final = 4
DATA_SOURCE_NAME_CHARS_MAX: Final = 64

# What a chart is drawn from, and what its child process may use.
CHART_ROWS_MAX: Final = 5_000
# A spec that adds up must see every row; beyond this many the adding belongs into the query.
CHART_ROWS_AGGREGATED_MAX: Final = 20_000
CHART_SPEC_BYTES_MAX: Final = 50_000
CHART_SPEC_NODES_MAX: Final = 2_000
CHART_SPEC_DEEP_MAX: Final = 16
CHART_TEXT_CHARS_MAX: Final = 500
CHART_EXPRESSIONS_MAX: Final = 20
CHART_SIDE_PIXELS_MAX: Final = 2_000
CHART_IMAGE_PIXELS_MAX: Final = 16_000_000
CHART_SVG_BYTES_MAX: Final = 8_000_000
CHART_CATEGORIES_MAX: Final = 20
# Up to so many bars are all drawn; of more only the greatest CHART_CATEGORIES_MAX.
CHART_BARS_MAX: Final = 50
CHART_SERIES_MAX: Final = 8
CHART_MEASURES_MAX: Final = 4
CHART_OUTLIERS_MAX: Final = 1_000
CHART_SLICES_MAX: Final = 7
CHART_BINS_MAX: Final = 30
CHART_TIMES_MAX: Final = 750
CHART_CELL_CHARS_MAX: Final = 120
CHART_COLUMNS_MAX: Final = 200
CHART_DRAW_S: Final = 15.0
CHART_NAME_CHARS_MAX: Final = 60
# V8 reserves some hundred megabytes before it draws anything.
DRAWING_MEMORY_BYTES_MAX: Final = 2_000_000_000
DRAWING_WORKERS_MAX: Final = 2

# What a terminal shows of a chart.
PLOT_WIDTH_COLUMNS: Final = 80
PLOT_WIDTH_COLUMNS_MIN: Final = 30
PLOT_HEIGHT_LINES: Final = 14
PLOT_BARS_MAX: Final = 24
PLOT_LABEL_COLUMNS_MAX: Final = 24

# How large a report may be.
REPORT_DEFINITION_BYTES_MAX: Final = 200_000
REPORT_BLOCKS_MAX: Final = 200
REPORT_QUERIES_MAX: Final = 50
REPORT_PARAMETERS_MAX: Final = 30
REPORT_TEXT_CHARS_MAX: Final = 50_000
REPORT_PROSE_NODES_MAX: Final = 20_000
REPORT_PROSE_DEEP_MAX: Final = 20
REPORT_TABLE_ROWS_DEFAULT: Final = 50
REPORT_TABLE_ROWS_MAX: Final = 2_000
REPORT_TABLE_COLUMNS_MAX: Final = 12
REPORT_CELL_CHARS_MAX: Final = 300
REPORT_TYPESET_S: Final = 60.0
REPORT_TEMPLATES_MAX: Final = 100
# Beyond these a query is put to a person first.
QUERY_ROWS_ASK: Final = 200_000_000
QUERY_COST_ASK: Final = 20_000_000.0
RESULTS_JOINED_MAX: Final = 20
# Earlier results one may be made from, those of which they were made included.
RESULT_STEPS_MAX: Final = 60

# How far the figures of an answer are traced; what lies beyond is said to be unchecked.
RECEIPT_TEXT_CHARS_MAX: Final = 200_000
RECEIPT_FIGURES_MAX: Final = 500
RECEIPT_RESULTS_MAX: Final = 40
RECEIPT_CELLS_MAX: Final = 20_000_000
RECEIPT_LABELS_MAX: Final = 50_000
RECEIPT_LABEL_CHARS_MAX: Final = 60
RECEIPT_DIFFERENCE_ROWS_MAX: Final = 200
RECEIPT_PINNED_ROWS_MAX: Final = 50
RECEIPT_LISTED_ROWS_MAX: Final = 100_000
RECEIPT_OUTPUTS_MAX: Final = 50
RECEIPT_OUTPUT_NUMBERS_MAX: Final = 20_000
RECEIPT_TRACE_S_MAX: Final = 10.0
RECEIPT_EVENTS_PAGE: Final = 100
RECEIPT_MESSAGES_MAX: Final = 200
# How long a receipt waits for what a source calls its columns.
RECEIPT_ALIASES_WAIT_S: Final = 2.0

# What a project's semantic files may hold.
SEMANTIC_FILES_MAX: Final = 100
SEMANTIC_FILE_BYTES_MAX: Final = 1_000_000
# YAML of reports and semantic files: how deep, and how long a proven unique key is taken for one.
DATA_YAML_DEEP_MAX: Final = 30
RELATION_PROVEN_S: Final = 300.0
QUESTION_ROWS_MAX: Final = 1_000
QUESTION_DIFFERENCES_MAX: Final = 10
DATA_FILES_LISTED_MAX: Final = 100

# Database servers: how long a connection may take to be made, and a lost query to be ended.
DATA_CONNECT_S: Final = 10
DATA_CANCEL_S: Final = 5.0
DATA_URL_CHARS_MAX: Final = 4_000
CATALOGUE_COLUMNS_MAX: Final = 500_000
