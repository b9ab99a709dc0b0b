"""Translations of the server's errors for the user of its commands: English, Chinese.

Errors are raised in English, and translated where a command shows them.
"""

from typing import Final

_START: Final[dict[str, str]] = {
    "The host {host!r} is not known: {why}. Set DATAAGENT_HOST or --host to an address of this "
    "machine, such as 127.0.0.1.": (
        "未知主机 {host}:{why}。请将 DATAAGENT_HOST 或 --host 设为本机的地址,例如 127.0.0.1。"
    ),
    "The server cannot listen at {host}:{port}: {why}. Choose an address of this machine with "
    "--host and a free port with --port.": (
        "服务器无法监听 {host}:{port}:{why}。请用 --host 指定本机的地址,用 --port 指定空闲端口。"
    ),
    "Port {port} of {host} is in use, perhaps by another DataAgent. Stop that one, or choose "
    "another port: --port {next} or DATAAGENT_PORT={same}.": (
        "{host} 的端口 {port} 已被占用,可能是另一个 DataAgent。请停止它,或改用其他端口:"
        "--port {next} 或 DATAAGENT_PORT={same}。"
    ),
    "Port {port} needs more rights than you have; choose one above 1023 with --port.": (
        "端口 {port} 需要更高的权限;请用 --port 选择 1023 以上的端口。"
    ),
    "{path!r} is no folder. Name one.": "{path} 不是文件夹。请指定一个文件夹。",
    "redis is not installed: pip install 'dataagent-core[redis]'.": (
        "未安装 redis:pip install 'dataagent-core[redis]'。"
    ),
    "Key {number} of DATAAGENT_API_KEYS cannot be used: it is {problem}. A key has {least} to "
    "{most} visible ASCII characters; make one with: openssl rand -hex 32": (
        "DATAAGENT_API_KEYS 的第 {number} 个密钥无法使用:{problem:said}。密钥为 {least} 到 {most} "
        "个可见 ASCII 字符;可用以下命令生成:openssl rand -hex 32"
    ),
    "features_enabled names {name!r}, which is no feature. There are: {names}.": (
        "features_enabled 中的 {name} 不是功能。可用的有:{names}。"
    ),
}
_SETTINGS: Final[dict[str, str]] = {
    "the console signs in with a cookie, so '*' would let every web site act for whoever is "
    'signed in; name the origins, as in ["https://console.example.com"]': (
        "控制台用 cookie 登录,'*' 会让任何网站以已登录者的身份操作;"
        '请列出来源,例如 ["https://console.example.com"]'
    ),
    "its tokens are issued for this server's address, which is not set; set DATAAGENT_PUBLIC_URL "
    "to the address clients use": (
        "其令牌针对本服务器的地址签发,而该地址未设置;请将 DATAAGENT_PUBLIC_URL 设为客户端使用的地址"
    ),
    "without authentication the server may only be bound to this machine, not to {host}; set "
    "DATAAGENT_HOST=127.0.0.1, or keep authentication": (
        "不启用身份验证时,服务器只能绑定到本机,而不是 {host};"
        "请设置 DATAAGENT_HOST=127.0.0.1,或启用身份验证"
    ),
    "{origin} is no origin; write scheme and host without a path, as in "
    "https://console.example.com": (
        "{origin} 不是来源;请写协议和主机,不带路径,例如 https://console.example.com"
    ),
    "{address} is neither an address nor a network such as 10.0.0.0/8": (
        "{address} 既不是地址,也不是 10.0.0.0/8 这样的网络"
    ),
    'it is not a JSON list; write ["first", "second"], or first,second': (
        '它不是 JSON 列表;请写 ["first", "second"],或 first,second'
    ),
    "DATAAGENT_SESSION_STORE=redis needs to know which: set DATAAGENT_REDIS_URL="
    "redis://host:6379.": (
        "DATAAGENT_SESSION_STORE=redis 需要知道用哪个:请设置 DATAAGENT_REDIS_URL=redis://host:6379。"
    ),
    "DATAAGENT_SESSION_STORE=memory keeps sessions in one process, but there are {count} workers, "
    "each with a memory of its own: set DATAAGENT_WORKERS=1, or choose redis.": (
        "DATAAGENT_SESSION_STORE=memory 将会话保存在一个进程中,而有 {count} 个工作进程,"
        "各有自己的内存:请设置 DATAAGENT_WORKERS=1,或选用 redis。"
    ),
    "DATAAGENT_SESSION_STORE=postgres needs to know which: set DATAAGENT_DATABASE_URL="
    "postgresql://user:password@host/database.": (
        "DATAAGENT_SESSION_STORE=postgres 需要知道用哪个:请设置 "
        "DATAAGENT_DATABASE_URL=postgresql://user:password@host/database。"
    ),
    "DATAAGENT_SESSION_STORE is {store}, but DATAAGENT_DATABASE_URL names a database of the kind "
    "{kind}. Leave one of them out.": (
        "DATAAGENT_SESSION_STORE 是 {store},而 DATAAGENT_DATABASE_URL 的数据库类型是 {kind}。"
        "请去掉其中一个。"
    ),
}
_DATABASE: Final[dict[str, str]] = {
    "DATAAGENT_DATABASE_URL is {url}; {kind!r} is no database DataAgent can use: choose sqlite, "
    "postgresql, mysql or mariadb.": (
        "DATAAGENT_DATABASE_URL 是 {url};DataAgent 不能使用数据库 {kind}:"
        "请选用 sqlite、postgresql、mysql 或 mariadb。"
    ),
    "DATAAGENT_DATABASE_URL is not a URL: write sqlite:///path, "
    "postgresql://user:password@host/name or mysql://user:password@host/name, with special "
    "characters of the password percent-encoded.": (
        "DATAAGENT_DATABASE_URL 不是 URL:请写 sqlite:///path、postgresql://user:password@host/name "
        "或 mysql://user:password@host/name,密码中的特殊字符要百分号编码。"
    ),
    "DATAAGENT_DATABASE_URL names a certificate that cannot be used: {why}.": (
        "DATAAGENT_DATABASE_URL 指定的证书无法使用:{why}。"
    ),
    "database {url} cannot be used: {why}. Check that it runs and that this server can reach it.": (
        "数据库 {url} 无法使用:{why}。请检查它是否在运行,以及本服务器能否连接到它。"
    ),
    "database {url}: {why}. If a table or column is missing, run `dataagent-server migrate`.": (
        "数据库 {url}:{why}。如果缺少表或列,请运行 `dataagent-server migrate`。"
    ),
    "every connection to {url} is in use. Wait, or allow more with DATAAGENT_MYSQL_POOL_SIZE and "
    "DATAAGENT_MYSQL_MAX_OVERFLOW.": (
        "到 {url} 的连接已全部占用。请等待,或用 DATAAGENT_MYSQL_POOL_SIZE 和 "
        "DATAAGENT_MYSQL_MAX_OVERFLOW 允许更多。"
    ),
    "the database refused a duplicate or an orphan: {why}.": (
        "数据库拒绝了重复或无所属的数据:{why}。"
    ),
    "a value does not fit the database: {why}.": "有值不符合数据库的要求:{why}。",
    "the server said nothing for {seconds} seconds": "服务器 {seconds} 秒没有应答",
    "the database was migrated by a newer DataAgent. Upgrade this server.": (
        "该数据库已由更新版本的 DataAgent 迁移。请升级本服务器。"
    ),
    "database {url} was migrated by a newer DataAgent. Upgrade this server.": (
        "数据库 {url} 已由更新版本的 DataAgent 迁移。请升级本服务器。"
    ),
    "database {url} has no current schema. Run `dataagent-server migrate` once, then start the "
    "server again.": (
        "数据库 {url} 的结构不是最新。请运行一次 `dataagent-server migrate`,再启动服务器。"
    ),
    "another server has been migrating this database for too long.": (
        "另一个服务器迁移此数据库的时间过长。"
    ),
}
_PEOPLE: Final[dict[str, str]] = {
    "There is no member {user!r}.": "没有成员 {user}。",
    "There is no user {user!r}.": "没有用户 {user}。",
    "There is no tenant {tenant!r}.": "没有租户 {tenant}。",
    "There is no key {key!r}.": "没有密钥 {key}。",
    "Nothing is to change: give display_name, learns_patterns or uses_memory.": (
        "没有要更改的内容:请给出 display_name、learns_patterns 或 uses_memory。"
    ),
    "Whether their runs are learned from and remembered is for each person to say. For the whole "
    "tenant there are the features 'patterns' and 'memory'.": (
        "是否从其运行中学习、是否记住其内容,由每个人自己决定。"
        "整个租户的开关是功能 'patterns' 和 'memory'。"
    ),
    "kind is {kind!r} and project_id {project!r}: a project is named with the kind 'project', and "
    "only there.": "kind 为 {kind},project_id 为 {project}:只有 kind 为 'project' 时才指定项目。",
    "assistant_id is {assistant!r}: what has the kind 'org' counts with every assistant. Leave it "
    "out, or choose the kind 'user'.": (
        "assistant_id 为 {assistant}:kind 为 'org' 的内容对每个助手都有效。"
        "请省略它,或选择 kind 'user'。"
    ),
    "There is no episode {episode!r}.": "没有情节 {episode}。",
    "There is no community {community!r} any more.": "社区 {community} 已不存在。",
    "There is a user {user!r} already.": "用户 {user} 已存在。",
    "There is a tenant {tenant!r} already.": "租户 {tenant} 已存在。",
    "{user!r} is a member already.": "{user} 已是成员。",
    "The tenant has its {count} users already (max_users). Remove one, or ask whoever runs the "
    "installation for more.": (
        "租户的用户数已达上限 {count}(max_users)。请移除一位,或请管理此系统的人提高上限。"
    ),
    "This is the tenant's last owner. Make somebody else an owner first.": (
        "这是租户的最后一位所有者。请先将他人设为所有者。"
    ),
    "{name} is {value}; it must be 0 to {most}.": "{name} 是 {value};必须在 0 到 {most} 之间。",
    "The default tenant runs the installation; it stays active.": (
        "默认租户管理整个系统;它保持启用。"
    ),
    "Somebody else changed the tenant meanwhile. Read it again.": (
        "其间有他人修改了该租户。请重新读取。"
    ),
    "The scopes of a key are one or more of {scopes}.": "密钥的权限范围是以下一项或多项:{scopes}。",
    "expires_at {at} has no time zone; add one, as in 2030-01-31T12:00:00Z.": (
        "expires_at {at} 没有时区;请加上,例如 2030-01-31T12:00:00Z。"
    ),
    "expires_at {at} must lie in the future, at most {days} days from now.": (
        "expires_at {at} 必须是将来的时间,距今最多 {days} 天。"
    ),
    "A key cannot give the scope {scope!r} that this key lacks.": (
        "密钥不能授予自身没有的权限范围 {scope}。"
    ),
    "There are {count} valid keys already. Revoke one first.": (
        "已有 {count} 个有效密钥。请先吊销一个。"
    ),
    "{user!r} belongs to another tenant, whose admins change name and password.": (
        "{user} 属于另一个租户,其名称和密码由该租户的管理员修改。"
    ),
    "The current password is not right.": "当前密码不正确。",
    "A password has {least} to {most} characters; this one has {count}.": (
        "密码为 {least} 到 {most} 个字符;此密码有 {count} 个。"
    ),
    "This password is one character repeated, or holds what is no character.": (
        "此密码只是同一字符的重复,或含有不是字符的内容。"
    ),
    "Too many people are signing in just now. Try again.": "当前登录的人过多。请重试。",
    "The {what} has {count} characters; give it 1 to {most}.": (
        "{what:said}有 {count} 个字符;请给出 1 到 {most} 个。"
    ),
    "The {what} has {count} characters, more than the {most} allowed.": (
        "{what:said}有 {count} 个字符,超过允许的 {most} 个。"
    ),
    "The {what} holds the character {code}, which cannot be shown or stored. Leave it out.": (
        "{what:said}含有字符 {code},无法显示或保存。请去掉。"
    ),
    "{text!r} cannot be a user name: use 1 to {most} letters, digits, '.', '_', '@', '+' or '-', "
    "starting with a letter or digit. An e-mail address is fine.": (
        "{text} 不能作为用户名:请用 1 到 {most} 个字母、数字、'.'、'_'、'@'、'+' 或 '-',"
        "以字母或数字开头。可以用电子邮件地址。"
    ),
}
_AUDIT: Final[dict[str, str]] = {
    "{anchor} is not SEQ:MAC, as `audit head` prints it.": (
        "{anchor} 不是 `audit head` 输出的 SEQ:MAC。"
    ),
    "row {row} is missing; the next one is {next}": "缺少第 {row} 行;下一行是 {next}",
    "row {row} does not follow the one before it": "第 {row} 行与前一行不衔接",
    "row {row} was changed": "第 {row} 行被改动",
    "the record of where the chain ends is gone; rows end at {row}": (
        "链末端的记录已不存在;行止于 {row}"
    ),
    "the record of where the chain ends was changed": "链末端的记录被改动",
    "rows after {row} were cut off; the chain ended at {end}": (
        "第 {row} 行之后的行被截去;链原本止于 {end}"
    ),
    "row {row} is not the one the chain ended with": "第 {row} 行不是链的最后一行",
    "rows go on to {row}, beyond where the chain ended": "行延续到 {row},超出链的末端",
    "row {row} is not the one that was there when {anchor}... was kept": (
        "第 {row} 行不是保存 {anchor}... 时的那一行"
    ),
}

ERROR_TEXTS: Final[dict[str, str]] = {**_START, **_SETTINGS, **_DATABASE, **_PEOPLE, **_AUDIT}
PHRASES: Final[dict[str, str]] = {
    "too short, too long or not sendable in a header": "过短、过长或无法放入请求头",
    "display name": "显示名称",
    "name": "名称",
}
