"""Why SQL may not run: English, Chinese."""

SQL_TEXTS: dict[str, str] = {
    "{construct} cannot be used here: {way_out}.": "{construct:said}在此处不可用:{way_out:said}。",
    "There is no SQL: write one SELECT query.": "没有 SQL:请写一条 SELECT 查询。",
    "The SQL cannot be read: {error}.": "无法解析 SQL:{error:said}。",
    "The SQL cannot be read{place}, near '{near}': {why}.": (
        "无法解析 SQL{place:said},在 '{near}' 附近:{why:said}。"
    ),
    "The SQL cannot be written back exactly: {error}; write it more plainly.": (
        "无法原样写回该 SQL:{error:said};请写得更简单些。"
    ),
    "The SQL has {count} characters; at most {most} are read: ask for less in one query.": (
        "SQL 有 {count} 个字符,最多读取 {most} 个:请减少一次查询的内容。"
    ),
    (
        "The SQL has {count} parts; at most {most} are read: put long lists of values into a file "
        "that is a source, and join it."
    ): "SQL 有 {count} 个部分,最多读取 {most} 个:请把长的值列表放入作为数据源的文件,再连接它。",
    "The SQL is nested deeper than {levels} levels: split it with WITH, or ask in steps.": (
        "SQL 嵌套超过 {levels} 层:请用 WITH 拆分,或分步查询。"
    ),
    "The SQL is nested too deeply: split it with WITH, or ask in steps.": (
        "SQL 嵌套过深:请用 WITH 拆分,或分步查询。"
    ),
    (
        "The queries inside the SQL have more than {most} columns in all: name the columns that "
        "are needed instead of *, or ask in steps."
    ): "SQL 内各查询的列总数超过 {most}:请写出需要的列而不是 *,或分步查询。",
    "The signs '{signs}' cannot be used here: write the query without them.": (
        "此处不能使用符号 '{signs}':请去掉它们再写查询。"
    ),
    "The table '{name}' cannot be used like this: select its columns by name.": (
        "表 '{name}' 不能这样使用:请按名称选择它的列。"
    ),
    "The table '{name}' stands where none is expected: name it in FROM.": (
        "表 '{name}' 出现在不该有表的位置:请写在 FROM 中。"
    ),
    "There is no table '{name}'.": "没有表 '{name}'。",
    "There is no table '{name}', because of its file.": "没有表 '{name}',原因在于它的文件。",
    "There is no column '{name}' here.": "此处没有列 '{name}'。",
    (
        "The table '{name}' is hidden: the source's owner took it out of reach of every query. "
        "Ask them to show it if it is needed."
    ): "表 '{name}' 已被隐藏:数据源所有者不允许任何查询使用它。如有需要,请让其开放。",
    (
        "The column '{name}' is hidden: the source's owner took it out of reach of every query. "
        "Ask them to show it if it is needed."
    ): "列 '{name}' 已被隐藏:数据源所有者不允许任何查询使用它。如有需要,请让其开放。",
    "There is no table {name}.": "没有表 {name}。",
    (
        "The table {name} is hidden: the source's owner took it out of reach. Ask them to show it "
        "if it is needed."
    ): "表 {name} 已被隐藏:数据源所有者不开放它。如有需要,请让其开放。",
    "Did you mean {names}?": "您是否想写 {names:said}?",
    (
        "PIVOT ON {column} would name columns after personal values. List the values with ON ... "
        "IN (...), or group by it instead."
    ): "PIVOT ON {column} 会以个人信息命名列。请用 ON ... IN (...) 列出值,或改用分组。",
    (
        "A query over earlier results names 1 to {most} of them as tables, as in SELECT * FROM "
        "r_0123456789ab; this one names {count}."
    ): (
        "对先前结果的查询以 1 至 {most} 个结果为表,例如 SELECT * FROM r_0123456789ab;"
        "此查询用了 {count} 个。"
    ),
    "max_rows is {value}: use 1 to {most}.": "max_rows 为 {value}:请用 1 至 {most}。",
    "timeout_s is {value}: use more than 0, at most {most}.": (
        "timeout_s 为 {value}:请用大于 0 且不超过 {most} 的值。"
    ),
    "the engine expects this query to go through about {rows} rows": (
        "引擎预计此查询将扫描约 {rows} 行"
    ),
    "the engine expects this query to cost {cost} of its units": (
        "引擎预计此查询的开销为 {cost} 个单位"
    ),
    # Changes
    "The SQL may have at most {most} characters, all text.": (
        "SQL 最多 {most} 个字符,且必须全是文本。"
    ),
    "Each row of VALUES must hold {count} values: (a, b).": (
        "VALUES 的每一行必须有 {count} 个值:(a, b)。"
    ),
    (
        "The change has no WHERE that chooses rows, so it would reach all of them. Say which rows, "
        "or ask for all rows on purpose with all_rows=true."
    ): "该修改没有用 WHERE 选择行,会影响所有行。请指明哪些行,或用 all_rows=true 明确要求所有行。",
    (
        "Nothing was changed: {expected} rows were agreed to, by now it would be {count}. Call "
        "sql_write again to ask anew."
    ): "未作任何修改:同意修改的是 {expected} 行,现在会是 {count} 行。请重新调用 sql_write。",
    "This is not the change that was tried. Try it again first.": (
        "这不是试运行过的修改。请先重新试运行。"
    ),
    "Nothing was changed: the change was rolled back.": "未作任何修改:修改已回滚。",
    "{error} It is not known whether the change was kept: look before trying again.": (
        "{error:said} 不清楚修改是否已生效:请先查看,再重试。"
    ),
    "{tool} is denied: it reads {source}, and {reason}.": (
        "{tool} 被拒绝:它读取 {source},而 {reason:said}。"
    ),
}
