"""What is said of kept results, of metrics and of reports: English, Chinese."""

RESULT_TEXTS: dict[str, str] = {
    "There is no result {name}: it has expired, or the id is another one's. Run the query again.": (
        "没有结果 {name}:已过期,或编号有误。请重新执行查询。"
    ),
    (
        "This would be made from {count} earlier results, {most} are possible. Ask the sources "
        "themselves in one query instead."
    ): "这将由 {count} 个先前结果得出,上限为 {most}。请改为在一条查询中直接查询数据源。",
    (
        "A page cannot start at {offset} and have {rows} rows: use offset 0 or more, limit 1 or "
        "more."
    ): ("一页不能从 {offset} 开始并有 {rows} 行:offset 须不小于 0,limit 须不小于 1。"),
    (
        "There is no room for a result of {bytes} bytes: those in {folder} take {used} of {most}. "
        "Ask for fewer rows, delete some of them (they go by themselves after {days} days), or "
        "allow more: DATAAGENT_RESULTS_MAX_BYTES"
    ): (
        "没有空间存放 {bytes} 字节的结果:{folder} 中已用 {used},上限 {most}。请减少行数,"
        "删除一些结果({days} 天后会自动删除),或提高上限:DATAAGENT_RESULTS_MAX_BYTES"
    ),
    (
        "{rows} rows do not fit into a sheet of {most}: export CSV or Parquet, or ask for fewer "
        "rows."
    ): "{rows} 行超过一张工作表的 {most} 行:请导出 CSV 或 Parquet,或减少行数。",
    (
        "{result} keeps only the first {rows}, and its query cannot be run again for all of them: "
        "{error}"
    ): "{result} 只保留了前 {rows:said},且无法重新执行其查询以取得全部:{error:said}",
    "it was asked in another project.": "它是在另一个项目中查询的。",
    (
        "its files are read in another way now, as somebody chose since. Run the query again."
    ): "其文件的读取方式后来已被更改。请重新执行查询。",
    (
        "The rows take more than {bytes} bytes, which one export may have: export them in parts, "
        "with a condition in the query."
    ): "这些行超过一次导出的上限 {bytes} 字节:请在查询中加条件,分批导出。",
    (
        "The file has {bytes} bytes, {most} fit here. Ask for fewer rows, or let the person "
        "export it: dataagent data export RESULT"
    ): "文件有 {bytes} 字节,这里最多 {most}。请减少行数,或由人导出:dataagent data export RESULT",
    # Verified questions
    "{expected} rows were expected, {count} came": "预期 {expected} 行,得到 {count} 行",
    "row {number}: {expected} was expected, {row} came": (
        "第 {number} 行:预期 {expected},得到 {row}"
    ),
    # Metrics
    "Name at least one metric": "请至少写出一个指标",
    "There is no metric {name}.": "没有指标 {name}。",
    "There is no dimension {name}.": "没有维度 {name}。",
    "{name} is more than one dimension: say {names}.": ("{name} 对应多个维度:请写 {names}。"),
    (
        "{name} is counted over {dataset} and others over {other}: ask for them one after the "
        "other and join the results."
    ): "{name} 按 {dataset} 计算,其他按 {other} 计算:请分别查询再连接结果。",
    "These metrics are not of the source {name}.": "这些指标不属于数据源 {name}。",
    "The metric query is wrong at {place}: {error}.": "指标查询在 {place} 处有误:{error:said}。",
    "The expression of {name} adds nothing up: {sql}.": "{name} 的表达式没有汇总:{sql}。",
    "The expression of {name} is not SQL: {sql}. {error}": (
        "{name} 的表达式不是 SQL:{sql}。{error:said}"
    ),
    (
        "The filter of {name} cannot be put into {sql}. Leave the filter out and write the "
        "condition into the expression, with CASE."
    ): "{name} 的过滤条件不能放入 {sql}。请去掉过滤条件,用 CASE 写进表达式。",
    "The filter {name} {op} does not take null: nothing is {_op} it.": (
        "过滤条件 {name} {op} 不接受 null。"
    ),
    (
        "The filter {name} {op} does not take {value}: between takes two values, in a list, the "
        "others one."
    ): "过滤条件 {name} {op} 不接受 {value}:between 要两个值,in 要列表,其他要一个值。",
    "{name} would be joined in two ways. Ask with SQL instead.": (
        "{name} 有两种连接方式。请改用 SQL 查询。"
    ),
    (
        "There are {count} ways from {start} to {end}. Ask with SQL instead, and say which one is "
        "meant."
    ): ("从 {start} 到 {end} 有 {count} 条路径。请改用 SQL 查询并指明是哪一条。"),
    (
        "{end} cannot be joined to {start} without counting rows twice: there is no relation from "
        "many to one that leads there. Use a dimension of another dataset."
    ): (
        "{end} 不能在不重复计行的情况下连接到 {start}:没有通往那里的多对一关系。"
        "请用其他数据集的维度。"
    ),
    (
        "Whether {keys} is unique could not be looked at, so rows might be counted twice ({error}) "
        "Declare it a primary key, or ask with SQL instead."
    ): "无法确认 {keys} 是否唯一,行可能重复计算({error:said})。请声明为主键,或改用 SQL 查询。",
    (
        "{keys} is not unique, though the relation from {many} to {one} says so: rows would be "
        "counted twice. Clean the table, correct the relation, or ask with SQL instead."
    ): (
        "{keys} 不唯一,而 {many} 到 {one} 的关系称其唯一:行会重复计算。"
        "请清理该表、更正关系,或改用 SQL 查询。"
    ),
    "The semantic files cannot be read: {error}": "无法读取语义文件:{error:said}",
    "{name} cannot be used: {place}: {error}.": "不能使用 {name}:{place}:{error:said}。",
    "{folder} holds {count} semantic files, {most} are read: join some.": (
        "{folder} 中有 {count} 个语义文件,最多读取 {most} 个:请合并一些。"
    ),
    "{name} must hold {keys}, each a list.": "{name} 必须包含 {keys},且每一项都是列表。",
    "{name}: {key} is not one of {keys}, or not a list.": (
        "{name}:{key} 不是 {keys} 之一,或不是列表。"
    ),
    "a relation names {name}, which is no dataset": "有关系引用了 {name},它不是数据集",
    "metric {name} is of {dataset}, no dataset": "指标 {name} 属于 {dataset},它不是数据集",
    "there are two {kind}s named {name}: rename one": "有两个名为 {name} 的 {kind}:请重命名其一",
    # Reports
    "Nobody knows how {name} was made.": "无法得知 {name} 是如何得出的。",
    (
        "Query {name} of the report is over an earlier result that is not there: results are kept "
        "for {days} days. Add the query that made it to the report's queries and name that query "
        "as the table, or create the report anew. ({error})"
    ): (
        "报告的查询 {name} 基于一个已不存在的先前结果:结果保留 {days} 天。"
        "请把得出该结果的查询加入报告并以其名称作为表,或重新创建报告。({error:said})"
    ),
    "block {number} names no query: {name}. {hint}": (
        "第 {number} 块没有对应的查询:{name}。{hint:said}"
    ),
    "give either sql (with source) or metric": "请给出 sql(并指定 source)或 metric",
    "sql needs the source it is for": "sql 需要指定 source",
    (
        "The figure {label} is in row {row} of {result}, which has {rows} rows. Rows count from 0."
    ): "数字 {label} 在 {result} 的第 {row} 行,而它有 {rows} 行。行从 0 开始计。",
    "The report has no parameter {name}. {near} It has: {names}.": (
        "报告没有参数 {name}。{near:said} 它有:{names}。"
    ),
    "The report needs a value for {name}: {description}": "报告需要 {name} 的值:{description:said}",
    (
        "{{{{{name}}}}} is no parameter of the report. {near} Declare it under parameters, or "
        "write \\{{{{{again}}}}} where the braces themselves are meant."
    ): (
        "{{{{{name}}}}} 不是报告的参数。{near:said} 请在 parameters 中声明,"
        "若要写花括号本身请写 \\{{{{{again}}}}}。"
    ),
    "{name} must be a date such as 2026-03-31, and is {value}.": (
        "{name} 必须是日期,例如 2026-03-31,而它是 {value}。"
    ),
    "{name} must be a number such as 12.5, and is {value}.": (
        "{name} 必须是数字,例如 12.5,而它是 {value}。"
    ),
    "{name} must be plain text of at most {most} characters without backslashes and line ends.": (
        "{name} 必须是不超过 {most} 个字符的普通文本,不含反斜杠和换行。"
    ),
    "A text has {count} pieces of Markdown, {most} are possible. Split it into several blocks.": (
        "一段文字有 {count} 个 Markdown 元素,上限为 {most}。请拆成多个块。"
    ),
    "{what} cannot be used. {problems}.": "不能使用 {what}。{problems:said}。",
    (
        "Query {name} asks for a metric, and no semantic layer is there to answer. Write its SQL, "
        "or add the project's semantic files."
    ): "查询 {name} 需要指标,但没有语义层可用。请写 SQL,或添加项目的语义文件。",
    "The queries {names} are over each other.": "查询 {names} 互相引用。",
    "There is no report template {name}. {near} There are: {names}.": (
        "没有报告模板 {name}。{near:said} 可用的有:{names}。"
    ),
    "{folder} holds {count} templates, {most} are possible.": (
        "{folder} 中有 {count} 个模板,上限为 {most}。"
    ),
    "{value} is no number, and so no percent.": "{value} 不是数字,因此不能显示为百分比。",
    "{how} of {column} is not possible: it holds {value}. Use count, or a column of numbers.": (
        "不能对 {column} 计算 {how}:其中有 {value}。请用 count,或选数字列。"
    ),
}
