"""What is wrong with a source, or keeps it from answering: English, Chinese."""

SOURCE_TEXTS: dict[str, str] = {
    "dates, decimals and encoding say how text files are read; {name} is {kind}. Leave them out.": (
        "dates、decimals 和 encoding 说明文本文件如何读取;{name} 是 {kind}。请去掉它们。"
    ),
    "{name!r} is no encoding DataAgent reads. Use one of {names}.": (
        "DataAgent 不读取编码 {name}。请使用以下之一:{names}。"
    ),
    "There is no source {name}.": "没有数据源 {name}。",
    "No source is named: give a source's name, or a file's path.": (
        "未指定数据源:请给出数据源名称或文件路径。"
    ),
    "There is no source {name!r}. {near}": "没有数据源 {name}。{near:said}",
    (
        "There is a source {name!r} already. Choose another name, or remove it: dataagent sources "
        "remove {again}"
    ): "数据源 {name} 已存在。请换一个名称,或先移除:dataagent sources remove {again}",
    "There are {count} sources, no more fit: remove one first.": (
        "已有 {count} 个数据源,不能再添加:请先移除一个。"
    ),
    (
        "{path} is not a list of sources any more. Restore it from a copy, or remove it and add "
        "the sources again."
    ): "{path} 已不是有效的数据源列表。请从备份恢复,或删除它并重新添加数据源。",
    # A path or an address
    "{path} leads out of the workspace.": "{path} 超出了工作区。",
    "{path} leads out of the workspace. Copy the file into it.": (
        "{path} 超出了工作区。请把文件复制进来。"
    ),
    "{path} is no path. Give the path of a file or a folder.": (
        "{path} 不是路径。请给出文件或文件夹的路径。"
    ),
    "{path} is no regular file. Give a file or a folder.": (
        "{path} 不是普通文件。请给出文件或文件夹。"
    ),
    "{path} cannot be opened: {error}. Give the path of a file or a folder that exists.": (
        "无法打开 {path}:{error:said}。请给出存在的文件或文件夹的路径。"
    ),
    "{path} cannot be read: {error}.": "无法读取 {path}:{error:said}。",
    "{path} is called {ending} but is no SQLite database.": (
        "{path} 的扩展名是 {ending},但不是 SQLite 数据库。"
    ),
    "{path} is called {ending} but is no DuckDB database.": (
        "{path} 的扩展名是 {ending},但不是 DuckDB 数据库。"
    ),
    "{path} is an old Excel format ({ending}). Save it as .xlsx or .csv and add that.": (
        "{path} 是旧的 Excel 格式({ending})。请另存为 .xlsx 或 .csv 再添加。"
    ),
    (
        "{path} has no ending DataAgent knows. It reads {endings}, folders of these, and SQLite "
        "and DuckDB files: give the file one of these endings."
    ): (
        "DataAgent 不认识 {path} 的扩展名。它可以读取 {endings}、包含这些文件的文件夹,"
        "以及 SQLite 和 DuckDB 文件:请使用其中一种扩展名。"
    ),
    (
        "{path} is in DataAgent's own folder, where keys and sessions are kept. Copy the data "
        "elsewhere and add that."
    ): "{path} 位于 DataAgent 自己的文件夹中,那里保存密钥和会话。请把数据复制到别处再添加。",
    "{name} is the name under which earlier results are asked. Choose another name.": (
        "{name} 是查询先前结果所用的名称。请换一个名称。"
    ),
    (
        "{name} is no name for a source: begin with a letter and use letters, digits, '_' and "
        "'-', at most {most} of them."
    ): "{name} 不能作为数据源名称:请以字母开头,使用字母、数字、'_' 和 '-',最多 {most} 个字符。",
    (
        "{scheme}:// is no source DataAgent can ask. Known are {known}, and files on this "
        "machine: download the file first and give its path."
    ): (
        "DataAgent 不能查询 {scheme}://。可用的有 {known},以及本机上的文件:"
        "请先下载文件,再给出其路径。"
    ),
    (
        "{scheme}:// is no address of a database server we know. Use postgresql:// or "
        "mysql://user:password@host/database."
    ): (
        "{scheme}:// 不是已知的数据库服务器地址。请用 postgresql:// 或 "
        "mysql://user:password@host/database。"
    ),
    "The address must name one host, as in {scheme}://user:password@host/database.": (
        "地址必须包含一个主机,例如 {scheme}://user:password@host/database。"
    ),
    "The address must name a login: user:password@host.": (
        "地址必须包含登录账号:user:password@host。"
    ),
    "The address is too long or holds spaces or control characters.": (
        "地址过长,或含有空格或控制字符。"
    ),
    "The address cannot be read. Write / : @ ? # of a password as %2F %3A %40 %3F %23.": (
        "无法解析地址。密码中的 / : @ ? # 请写成 %2F %3A %40 %3F %23。"
    ),
    "The address holds a #. Write a # of a password as %23.": (
        "地址中含有 #。密码中的 # 请写成 %23。"
    ),
    "connect_timeout must be 1 to {most} seconds.": "connect_timeout 必须为 1 至 {most} 秒。",
    "{name} must be one of {words}.": "{name} 必须是以下之一:{words}。",
    "ssl must be one of {words}.": "ssl 必须是以下之一:{words}。",
    "The option {name} is not allowed in an address. Allowed are connect_timeout, {allowed}.": (
        "地址中不能使用选项 {name}。可用的有 connect_timeout、{allowed}。"
    ),
    "The option {name} is not allowed in an address of {kind} ({allowed} are).": (
        "{kind} 的地址中不能使用选项 {name}(可用:{allowed})。"
    ),
    "The address of {name} must begin with {kind}://.": "{name} 的地址必须以 {kind}:// 开头。",
    # Kinds of sources
    "{name} is a source of kind {kind}, not a server.": "{name} 是 {kind} 类数据源,不是服务器。",
    "{name} is a source of kind {kind}, not a warehouse.": (
        "{name} 是 {kind} 类数据源,不是数据仓库。"
    ),
    (
        "{name} is a source of kind {kind}, where it cannot be seen from outside whether a login "
        "can only read. Give it one that can, and confirm that with read_only_confirmed "
        "(--read-only-confirmed)."
    ): (
        "{name} 是 {kind} 类数据源,从外部无法看出登录账号是否只读。"
        "请使用只读账号,并用 read_only_confirmed(--read-only-confirmed)确认。"
    ),
    (
        "{kind} was not run live by the makers of DataAgent, and what the login may do beyond "
        "reading was not looked at: its owner has confirmed that it can only read."
    ): (
        "DataAgent 的开发者没有在真实环境中运行过 {kind},也没有检查登录账号读取之外的权限:"
        "其所有者已确认它只能读取。"
    ),
    "The driver for {kind} is not installed: {command}.": "未安装 {kind} 的驱动:{command}。",
    "chdb is not installed: pip install 'dataagent-core[clickhouse]'.": (
        "未安装 chdb:pip install 'dataagent-core[clickhouse]'。"
    ),
    (
        "A ClickHouse server on the network cannot be asked yet, only ClickHouse's data in a "
        "folder: chdb:///path/to/folder."
    ): "暂不支持网络上的 ClickHouse 服务器,只支持文件夹中的数据:chdb:///path/to/folder。",
    "{path} holds no data of ClickHouse (no folder metadata).": (
        "{path} 中没有 ClickHouse 数据(没有 metadata 文件夹)。"
    ),
    (
        "{name} is a source of kind {kind}, which is only ever read. Changes are made on "
        "PostgreSQL, MySQL and MariaDB."
    ): "{name} 是 {kind} 类数据源,只供读取。只能修改 PostgreSQL、MySQL 和 MariaDB。",
    (
        "{name} has no write_url, so nothing can be changed there. Its owner may add one, with a "
        "login that may change only what it should."
    ): "{name} 没有 write_url,不能修改。其所有者可以添加,并使用只能修改应改内容的登录账号。",
    "The write_url of {name} is not an address of {kind}.": (
        "{name} 的 write_url 不是 {kind} 的地址。"
    ),
    # At work
    (
        "The tables of {name} could not be read within {seconds} s. Reading goes on: ask again in "
        "a moment, or give it more time."
    ): "{seconds} 秒内未能读完 {name} 的表。读取仍在继续:请稍后重试,或给它更多时间。",
    (
        "{name} did not answer within {seconds} s and was stopped. Ask for less (a filter, fewer "
        "columns, an aggregate), or give it more time."
    ): (
        "{name:said} 在 {seconds} 秒内没有应答,已停止。"
        "请减少内容(加过滤条件、减少列或使用聚合),或给它更多时间。"
    ),
    (
        "{name} needed more memory than a query may use and was stopped. Aggregate or filter "
        "earlier, or ask for fewer columns."
    ): "{name:said} 所需内存超过查询限额,已停止。请提前聚合或过滤,或减少列。",
    "{name} wrote more to disk than a query may use and was stopped.": (
        "{name:said} 写入磁盘的数据超过查询限额,已停止。"
    ),
    "{name} ended unexpectedly. Ask again; if it stays, ask for less.": (
        "{name:said} 意外结束。请重试;如仍如此,请减少内容。"
    ),
    "{name} was closed and answers no more questions.": "{name:said} 已关闭,不再应答。",
    (
        "{name} is busy with {count} other questions, and none was done within {seconds} s. Ask "
        "again in a moment, or give it more time."
    ): (
        "{name:said} 正忙于另外 {count} 个查询,{seconds} 秒内没有一个完成。"
        "请稍后重试,或给它更多时间。"
    ),
    "{name} cannot be asked any more: the sources were closed.": (
        "不能再查询 {name}:数据源已全部关闭。"
    ),
    (
        "{name} has to wait: {count} other sources are being asked, and none was done within "
        "{seconds} s. Ask again in a moment."
    ): "{name} 需要等待:正在查询另外 {count} 个数据源,{seconds} 秒内没有一个完成。请稍后重试。",
    (
        "All {count} data workers are busy, and none was done within {seconds} s. Ask again in a "
        "moment, or let more of them run: DATAAGENT_DATA_WORKERS_MAX"
    ): (
        "{count} 个数据进程全部在忙,{seconds} 秒内没有一个完成。"
        "请稍后重试,或增加进程数:DATAAGENT_DATA_WORKERS_MAX"
    ),
    "Files are read in a sandbox, and there is none: {error}": (
        "文件须在沙箱中读取,而这里没有沙箱:{error:said}"
    ),
    "{name} is read without a sandbox: a broken file could do harm.": (
        "读取 {name} 时没有沙箱:损坏的文件可能造成危害。"
    ),
    "{name} did not start: {error}": "{name} 未能启动:{error:said}",
    "The program has ended. Start it again.": "程序已结束。请重新启动。",
    "The worker left no result: {error}.": "数据进程没有留下结果:{error:said}。",
    "The worker left no plain file. Ask again.": "数据进程没有留下普通文件。请重试。",
    (
        "The result has {bytes} bytes on disk, {most} are possible. Ask for fewer rows or columns."
    ): "结果在磁盘上有 {bytes} 字节,上限为 {most}。请减少行或列。",
}
