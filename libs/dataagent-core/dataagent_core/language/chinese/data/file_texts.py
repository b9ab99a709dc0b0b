"""How a file was read, and why one could not be: English, Chinese."""

FILE_TEXTS: dict[str, str] = {
    # Lines of a CSV file
    "{n} too short {_are} filled up with empty values ({lines})": (
        "{n:said}过短,已用空值补齐({lines:said})"
    ),
    "{n} with a separator too many {_are} joined ({lines})": (
        "{n:said}多了分隔符,已合并({lines:said})"
    ),
    "{n} too long {_are} cut after the last column ({lines})": (
        "{n:said}过长,已在最后一列之后截断({lines:said})"
    ),
    "{n} of a footer {_are} left out ({lines})": "{n:said}属于表尾,未读入({lines:said})",
    "{n} that repeat{_s} the heading {_are} left out ({lines})": (
        "{n:said}重复了表头,未读入({lines:said})"
    ),
    "{n} that fit{_s} no column {_are} left out ({lines})": (
        "{n:said}与各列都不符,未读入({lines:said})"
    ),
    # Dates and numbers
    "column {column}: {example} is read as {value}": "列 {column}:{example} 读作 {value:said}",
    (
        "column {column} can be read in two ways: {example} is read as {order}, every date also "
        "fits {other} ({sql}, or the source's option --dates {option})"
    ): (
        "列 {column} 有两种读法:{example} 现读作{order:said},但每个日期也符合{other:said}"
        "(可用 {sql},或数据源选项 --dates {option})"
    ),
    (
        "column {column} can be read in two ways: {example} is read as {value}, it could also be "
        "{other} ({sql}, or the source's option --decimals {option})"
    ): (
        "列 {column} 有两种读法:{example} 现读作 {value:said},也可能是 {other}"
        "(可用 {sql},或数据源选项 --decimals {option})"
    ),
    (
        "column {column}: {example} is read as {value}: not every date fits {order}, which was "
        "chosen"
    ): "列 {column}:{example} 读作{value:said}:并非每个日期都符合所选的{order:said}",
    (
        "column {column}: {example} is read as {value}: not every number fits the decimal {mark}, "
        "which was chosen"
    ): "列 {column}:{example} 读作 {value}:并非每个数字都符合所选的小数符号 {mark:said}",
    (
        "the text begins with the mark of {encoding} and is read in it, not in {chosen}, "
        "which was chosen"
    ): "文本以 {encoding} 的标记开头,因此按它读取,而不是按所选的 {chosen}",
    "the text is read in {encoding}": "文本按 {encoding:said} 读取",
    (
        "the text can be read in two ways: '{text}' is read in {encoding}, it could also be "
        "'{other}' in {other_encoding} (the source's option --encoding {option})"
    ): (
        "文本有两种读法:'{text}' 现按 {encoding} 读取,也可能是 {other_encoding} 的 '{other}'"
        "(可用数据源选项 --encoding {option})"
    ),
    "it is no text in {encoding}, the encoding that was chosen": "它不是所选编码 {encoding} 的文本",
    "column {column}: {text} is read as no value": "列 {column}:{text} 视为空值",
    "column {column} is read as text: {count} of its {total} values are {what}; {sql} gives them": (
        "列 {column} 按文本读取:{total} 个值中有 {count} 个是{what:said};可用 {sql} 取得"
    ),
    "column {column!r} of {table} is read as text: {value}": (
        "表 {table} 的列 {column} 按文本读取:出现了 {value:said}"
    ),
    "column {column!r} holds values of several types and is read as text": (
        "列 {column} 含有多种类型的值,按文本读取"
    ),
    # A sheet
    "the heading was found in row {row}": "表头在第 {row} 行",
    "the heading has two rows, {first} and {second}": "表头有两行:第 {first} 行和第 {second} 行",
    (
        "formulas without a value: {cells} cells are read as empty. Open the file in a "
        "spreadsheet program, which calculates them, and save it"
    ): "有公式没有计算结果:{cells} 个单元格读作空。请用电子表格软件打开该文件使其计算,然后保存",
    "the sheet is empty": "工作表为空",
    "the sheet cannot be read: {error}": "无法读取工作表:{error:said}",
    "its sheet {sheet} is damaged": "其中的工作表 {sheet} 已损坏",
    "it is not a whole Excel workbook (.xlsx); save it again, and wait until it is copied": (
        "它不是完整的 Excel 工作簿(.xlsx);请重新保存,并等待复制完成"
    ),
    "Excel files need the package duckdb-extension-excel": (
        "读取 Excel 文件需要安装 duckdb-extension-excel"
    ),
    # A file
    "{file} is read less strictly": "已放宽规则读取 {file}",
    "{file} is the table {name}: {wanted} is {other}": (
        "{file} 对应表 {name}:{wanted} 已是 {other}"
    ),
    "{file} is not there any more": "{file} 已不存在",
    "lines that are no JSON are left out": "不是 JSON 的行未读入",
    "it cannot be read as a table: {error}": "无法作为表格读取:{error:said}",
    "it cannot be read as JSON: {error}": "无法作为 JSON 读取:{error:said}",
    "it is not a whole Parquet file: {error}": "它不是完整的 Parquet 文件:{error:said}",
    "it is a binary file, not text": "它是二进制文件,不是文本",
    "it cannot be unpacked ({format}): {error}": "无法解压({format}):{error:said}",
    "it is empty": "文件为空",
    "the files change faster than they can be read": "文件变化太快,来不及读取",
    "only the first {count} tables are listed": "只列出前 {count} 张表",
    "{table}: only the first {count} columns are listed": "{table}:只列出前 {count} 列",
    # A database file
    "another program has this DuckDB file open for writing. Close it there, then ask again": (
        "另一个程序正以写入方式打开此 DuckDB 文件。请先在那里关闭,然后重试"
    ),
    (
        "this DuckDB file was written by a newer version of DuckDB than the one here ({version}). "
        "Export its tables to Parquet with the newer one (EXPORT DATABASE 'folder' (FORMAT "
        "parquet)) and add that folder"
    ): (
        "此 DuckDB 文件由比这里({version})更新的版本写成。请用新版本将其导出为 Parquet"
        "(EXPORT DATABASE 'folder' (FORMAT parquet)),然后添加该文件夹"
    ),
    "the file was changed while it was read. Ask again": "读取期间文件被修改。请重试",
    "the query took too long and was stopped": "查询时间过长,已停止",
    "only reading is allowed": "只允许读取",
    "another program is writing to the database. Ask again in a moment": (
        "另一个程序正在写入该数据库。请稍后重试"
    ),
    "the file is damaged or no SQLite database ({error})": (
        "文件已损坏,或不是 SQLite 数据库({error:said})"
    ),
    (
        "another program left the database in the middle of a change. Open it once with the "
        "program that writes it, then ask again"
    ): "另一个程序在修改中途中断了。请用写入它的程序打开一次,然后重试",
    "the file cannot be read: {error}": "无法读取文件:{error:said}",
    # A folder of files
    "links are not followed: {names}": "不跟随链接:{names:said}",
    "not regular files: {names}": "不是普通文件:{names:said}",
    "{count} other entries are no tables (folders, other endings)": (
        "另有 {count} 项不是表(文件夹或其他扩展名)"
    ),
    "{count} files; only the first {most} by name are tables": (
        "共 {count} 个文件;只有按名称排序的前 {most} 个作为表"
    ),
    "{folder} cannot be listed: {error}.": "无法列出 {folder}:{error:said}。",
    (
        "The file {path} is not there any more, or is no regular file. Put it back, or remove the "
        "source."
    ): "文件 {path} 已不存在,或不是普通文件。请放回该文件,或移除此数据源。",
    "{path} is no plain file. Copy it to one of its own.": (
        "{path} 不是单独的普通文件。请复制成独立的文件。"
    ),
    "{path} cannot be opened: {error}": "无法打开 {path}:{error:said}",
}
