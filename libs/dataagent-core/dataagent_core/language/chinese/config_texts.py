"""What is said of settings, their files and folders: English, Chinese."""

CONFIG_TEXTS: dict[str, str] = {
    "The agent directory {path} cannot be made: {why}. Make its parent writable, or set "
    "DATAAGENT_HOME to a directory you own.": (
        "无法创建代理目录 {path}:{why}。请使其上级目录可写,或将 DATAAGENT_HOME 设为您自己的目录。"
    ),
    "The directory {path} cannot be made: {why}. Make its parent writable, or set DATAAGENT_HOME "
    "to a directory you own.": (
        "无法创建目录 {path}:{why}。请使其上级目录可写,或将 DATAAGENT_HOME 设为您自己的目录。"
    ),
    "DATAAGENT_DATABASE_URL has the scheme {scheme}, which the command line cannot use: give "
    "sqlite:///relative/path or sqlite:////absolute/path, unset it to use {default}, or run the "
    "server for other databases.": (
        "DATAAGENT_DATABASE_URL 的协议为 {scheme},命令行无法使用:请用 sqlite:///relative/path 或 "
        "sqlite:////absolute/path,或取消设置以使用 {default};其他数据库请运行服务器。"
    ),
    "{file} writes {setting} in a way that is not changed here: set it there by hand.": (
        "{file} 中 {setting} 的写法无法在此修改:请手动设置。"
    ),
    "{what}, which is not a setting; the nearest is {near}. `dataagent config show` lists them "
    "all.": "{what},但它不是设置项;最接近的是 {near}。`dataagent config show` 可列出全部。",
    "{file} sets {key} to {value}, but it is a table: write [{table}] on a line of its own and the "
    "settings below it.": (
        "{file} 将 {key} 设为 {value},但它是一个表:请单独一行写 [{table}],并在其下写各设置项。"
    ),
    "{file} sets 'home', but the file is found through it: set {variable} in the environment "
    "instead.": "{file} 设置了 'home',但该文件正是由它找到的:请改在环境变量中设置 {variable}。",
    "{file} sets {key} at its top, but it belongs into the table [{table}]: move it there.": (
        "{file} 在顶层设置了 {key},但它属于表 [{table}]:请移到那里。"
    ),
    "{id} cannot be an id: it holds a NUL character.": "{id} 不能作为标识:其中含有 NUL 字符。",
    "{name} (from {place}) cannot be used: {why}": "{name}(来自 {place})无法使用:{why:said}",
    "{file} is larger than {limit} bytes; {what} is not.": (
        "{file} 超过 {limit} 字节,不是有效的 {what}。"
    ),
    "{file} cannot be read: {why}. Make it a readable file, or move it away.": (
        "无法读取 {file}:{why}。请使其成为可读的文件,或将其移走。"
    ),
    "{file} is not UTF-8: line {line} holds the byte 0x{byte}. Save the file as UTF-8.": (
        "{file} 不是 UTF-8:第 {line} 行含有字节 0x{byte}。请将文件保存为 UTF-8。"
    ),
    "{file} is not valid TOML: {why}. Correct that line, or move the file away.": (
        "{file} 不是有效的 TOML:{why}。请更正该行,或将文件移走。"
    ),
    "{file} is nested too deeply to be {what}.": "{file} 嵌套过深,不是有效的 {what}。",
    "{file} has {bytes} bytes, {limit} are possible: split it.": (
        "{file} 有 {bytes} 字节,上限为 {limit}:请拆分。"
    ),
    "{file} cannot be read as YAML: {why}.": "{file} 无法作为 YAML 读取:{why}。",
    "{file} uses YAML aliases (*name). Write the values out.": (
        "{file} 使用了 YAML 别名(*name)。请直接写出各值。"
    ),
    "{file} is nested more than {limit} deep.": "{file} 嵌套超过 {limit} 层。",
}
