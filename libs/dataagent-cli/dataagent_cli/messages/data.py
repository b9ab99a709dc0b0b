"""The sentences of the data commands, and of figures: key, English, Chinese."""

DATA_TEXTS: dict[str, tuple[str, str]] = {
    "no_sources": (
        "there are no sources yet. Add one: {dataagent} sources add NAME URL|PATH",
        "还没有数据源。添加:{dataagent} sources add NAME URL|PATH",
    ),
    "source_added": (
        "added {name}: {tables} {tables:plural table tables}",
        "已添加 {name}:{tables} 张表",
    ),
    "source_next": (
        "look at it: {dataagent} data list {name}",
        "查看:{dataagent} data list {name}",
    ),
    "source_works": (
        "{name} answers: {tables} {tables:plural table tables}",
        "{name} 可用:{tables} 张表",
    ),
    "source_removed": ("removed {name}", "已移除 {name}"),
    "nothing_found": ("nothing fits {words!r}", "没有与 {words!r} 匹配的内容"),
    "sql_may_run": (
        "it may run; reads {tables}; about {rows} {rows:plural row rows}",
        "可以执行;读取 {tables};约 {rows} 行",
    ),
    "expensive": (
        "{reason}. Run it with --yes if that is what you want.",
        "{reason:translated}。确认需要时请加 --yes。",
    ),
    "expensive_confirm": ("{reason}. Run it?", "{reason:translated}。要执行吗?"),
    "query_done": (
        "{rows} {rows:plural row rows} · {ms} ms · {result}",
        "{rows} 行 · {ms} 毫秒 · {result}",
    ),
    "query_truncated": (
        "the first {rows} {rows:plural row rows} of more · {ms} ms · {result}",
        "仅前 {rows} 行(还有更多) · {ms} 毫秒 · {result}",
    ),
    "columns_hidden": (
        "hidden by the source's owner: {columns}",
        "被数据源所有者隐藏:{columns}",
    ),
    "profile_of_sample": (
        "figures with ~, <= and >= are of a sample",
        "带 ~、<=、>= 的数值来自样本",
    ),
    "query_note": ("Note: {note}", "注意:{note:translated}"),
    "query_more": (
        "{shown} shown; all of them: {dataagent} data export {result}",
        "显示了 {shown} 行;导出全部:{dataagent} data export {result}",
    ),
    "file_exists": (
        "{path} is there already. Name another file with --output.",
        "{path} 已存在。请用 --output 指定其他文件。",
    ),
    "export_again": (
        "the result keeps the first {rows} rows; the query is run again for all of them",
        "结果只保留了前 {rows} 行;正在重新执行查询以导出全部",
    ),
    "exported": ("wrote {rows} {rows:plural row rows} to {path}", "已将 {rows} 行写入 {path}"),
    "cannot_read": ("{path} cannot be read: {error}", "无法读取 {path}:{error}"),
    "wrote_file": ("wrote {path}", "已写入 {path}"),
    "no_questions": (
        "this project has no verified questions: put them into .dataagent/semantic/*.yml",
        "本项目没有已验证的问题:请写入 .dataagent/semantic/*.yml",
    ),
    "question.same": ("same", "一致"),
    "question.ran": ("ran", "可运行"),
    "question.different": ("different", "不一致"),
    "question.failed": ("failed", "失败"),
    "sample_next": (
        (
            "ask it: {dataagent} data query --source {path} "
            '"SELECT channel, count(*) FROM orders GROUP BY channel"'
        ),
        (
            "查询:{dataagent} data query --source {path} "
            '"SELECT channel, count(*) FROM orders GROUP BY channel"'
        ),
    ),
    "no_result_format": (
        "there is no format {name!r}. A result is written as csv, parquet or xlsx.",
        "没有格式 {name!r}。结果可写为 csv、parquet 或 xlsx。",
    ),
    "described.table": (
        "table {name}, {rows}{columns} {columns:plural column columns}",
        "表 {name},{rows}{columns} 列",
    ),
    "described.view": (
        "view {name}, {rows}{columns} {columns:plural column columns}",
        "视图 {name},{rows}{columns} 列",
    ),
    "described_rows": ("{rows:,} {rows:plural row rows}, ", "{rows:,} 行,"),
    "described_rows_about": ("about {rows:,} {rows:plural row rows}, ", "约 {rows:,} 行,"),
    "col.column": ("COLUMN", "列"),
    "col.type": ("TYPE", "类型"),
    "col.key": ("KEY", "键"),
    "col.nulls": ("NULLS", "空值"),
    "col.distinct": ("DISTINCT", "不同值"),
    "col.min": ("MIN", "最小值"),
    "col.max": ("MAX", "最大值"),
    "col.samples": ("SAMPLES", "示例"),
    "col.comment": ("COMMENT", "备注"),
    "col.data_source": ("SOURCE", "数据源"),
    "col.kind": ("KIND", "类型"),
    "col.description": ("DESCRIPTION", "说明"),
    "col.place": ("PLACE", "位置"),
    "col.table": ("TABLE", "表"),
    "col.rows": ("ROWS", "行数"),
    "col.columns": ("COLUMNS", "列"),
}
