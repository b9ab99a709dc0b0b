"""What a database says of a query, a change and its login: English, Chinese."""

DATABASE_TEXTS: dict[str, str] = {
    "The server warns: {text}": "服务器警告:{text:said}",
    "Dates 0000-00-00 are given as NULL (columns: {columns}).": (
        "日期 0000-00-00 显示为 NULL(列:{columns})。"
    ),
    (
        "{count} tables are left out: the source has more columns than a catalogue holds. Give it "
        "a login that sees only what is needed."
    ): "{count} 张表未列出:数据源的列数超过目录上限。请使用只能看到所需内容的登录账号。",
    "{name} cannot be read: {error}": "无法读取 {name}:{error:said}",
    # Why it gives no answer
    "Can't connect to {place} ({error})": "无法连接 {place}({error:said})",
    "{place} accepted no connection within {seconds} s. Look at host, port and firewall.": (
        "{place} 在 {seconds} 秒内没有接受连接。请检查主机、端口和防火墙。"
    ),
    "The source was not opened.": "数据源尚未打开。",
    "The SQL gives no columns.": "该 SQL 没有返回任何列。",
    "The SQL gives no columns, so there is nothing to keep.": (
        "该 SQL 没有返回任何列,没有可保存的内容。"
    ),
    "The statement does not run on the server that answers.": "该语句不能在应答的服务器上执行。",
    (
        "The query was not run: {names} would be used, which somebody made in this database. Only "
        "what the database brings itself may run in a query; write it another way."
    ): (
        "未执行查询:其中会用到他人在此数据库中创建的 {names}。"
        "查询中只能使用数据库自带的功能;请换一种写法。"
    ),
    (
        "The query ran for {seconds} s, which is all it was given, and was stopped. Ask for less "
        "(a filter, fewer columns, an aggregate), or give it more time."
    ): (
        "查询运行了 {seconds} 秒,已到时限,被停止。"
        "请减少内容(加过滤条件、减少列或使用聚合),或给它更多时间。"
    ),
    (
        "Somebody else holds a lock on what was asked for, and {seconds} s of waiting did not "
        "help. Ask again later."
    ): "所查内容被他人锁定,等待 {seconds} 秒后仍未解除。请稍后重试。",
    (
        "{error}. If it was there a moment ago, the schema was changed: describe the source again."
    ): "{error:said}。如果刚才还存在,说明结构已改变:请重新查看数据源。",
    (
        "One row holds {bytes} bytes and a result may have {most}. Ask for fewer columns, or for "
        "a part of the long one with substring()."
    ): ("一行有 {bytes} 字节,而结果最多 {most} 字节。请减少列,或用 substring() 截取较长的列。"),
    "the query needs more memory than it may use": "查询所需内存超过限额",
    # Changes
    "There is no table {name} that this login can see.": "此登录账号看不到表 {name}。",
    "{name} is not a plain table ({kind}). Name the table itself.": (
        "{name} 不是普通表({kind})。请直接写表名。"
    ),
    (
        "{name} is kept by {engine}, which cannot take a change back, so a try would already "
        "change it. Move it to InnoDB first: ALTER TABLE ... ENGINE=InnoDB."
    ): (
        "{name} 使用 {engine} 存储,无法撤销修改,试运行就会改动数据。"
        "请先改用 InnoDB:ALTER TABLE ... ENGINE=InnoDB。"
    ),
    (
        "Triggers of {name} run with it, and a table they may write to, {other}, cannot take a "
        "change back, so it cannot be tried safely."
    ): "{name} 的触发器会一并运行,它们可能写入的表 {other} 无法撤销修改,因此不能安全试运行。",
    (
        "{name} is a view, a foreign table or has rules, so that a write to it may change "
        "something else or not be undone. Name the table itself."
    ): "{name} 是视图、外部表或带有规则,写入它可能改动别处或无法撤销。请直接写表名。",
    "Triggers run with it and may do more than is counted: {names}.": (
        "触发器会一并运行,改动可能多于所计行数:{names}。"
    ),
    "Foreign keys carry the {verb} on to rows of {tables}, which are not counted.": (
        "外键会把 {verb} 传递到 {tables} 的行,这些行未计入。"
    ),
    (
        "Nothing was changed: the {verb} would now change {count} rows, and {expected} were "
        "announced. Somebody changed the table meanwhile: try it again and look at the new number."
    ): (
        "未作任何修改:{verb} 现在会改动 {count} 行,而预告的是 {expected} 行。"
        "期间有人改动了该表:请重新试运行并查看新的行数。"
    ),
    # What a login may do beyond reading
    "WARNING: the login {user!r} may change things: {rights} on {place}.": (
        "警告:登录账号 {user} 可以修改数据:对 {place} 有 {rights} 权限。"
    ),
    "DANGER: the login {user!r} has {rights} on {place}: it reaches far beyond reading tables.": (
        "危险:登录账号 {user} 对 {place} 有 {rights} 权限,远超读取表的需要。"
    ),
    "And {count} more such grants.": "另有 {count} 项此类授权。",
    "Give the source a login that can only read. As an administrator: {statements}": (
        "请为数据源使用只读的登录账号。以管理员身份执行:{statements}"
    ),
    (
        "DANGER: the login {user!r} is a superuser: it may change and delete everything, read and "
        "write the server's files and run programs on it."
    ): ("危险:登录账号 {user} 是超级用户:可以修改和删除一切,读写服务器上的文件并在其上运行程序。"),
    "The login {user!r} has {rights}.": "登录账号 {user} 拥有 {rights}。",
    (
        "DANGER: the login {user!r} is a member of {roles}, which reach beyond reading tables: "
        "files and programs of the server, every table, or other sessions."
    ): (
        "危险:登录账号 {user} 属于 {roles},其权限超出读取表:"
        "可及服务器的文件和程序、所有表或其他会话。"
    ),
    "WARNING: the login {user!r} may change rows of {tables}": (
        "警告:登录账号 {user} 可以修改行的表:{tables:said}"
    ),
    "The login {user!r} may create things in {places}.": (
        "登录账号 {user} 可以在 {places:said} 中创建对象。"
    ),
}
