"""What is said of sessions, their stores and their export: English, Chinese."""

SESSION_TEXTS: dict[str, str] = {
    # Runs of a session
    "session {id} is running already. Wait for it to finish, or stop it.": (
        "会话 {id} 已在运行。请等待其结束,或停止它。"
    ),
    "session {id} is running in another process (pid {pid}). Wait for it to finish, stop it, "
    "or use another session.": (
        "会话 {id} 正在另一个进程中运行(pid {pid})。请等待其结束、停止它,或使用其他会话。"
    ),
    "cannot lock session {id} with {path}: {why}. Make the folder writable, or choose another "
    "place with DATAAGENT_HOME.": (
        "无法用 {path} 锁定会话 {id}:{why}。请使该文件夹可写,或用 DATAAGENT_HOME 另选位置。"
    ),
    "there is no session {id}.": "没有会话 {id}。",
    "session {id} already exists.": "会话 {id} 已存在。",
    "the session has no message {id}.": "该会话没有消息 {id}。",
    "the message is empty. Say what you want done.": "消息为空。请说明要做什么。",
    "the message is longer than {limit} characters. Put long text into a file in the workspace "
    "and name it.": "消息超过 {limit} 个字符。请将长文本放入工作区的文件中,并写明文件名。",
    "the run is over; nothing more can be recorded.": "该运行已结束;无法再记录。",
    "the title has {count} characters that can be shown; give it 1 to {limit}.": (
        "标题有 {count} 个可显示的字符;请给出 1 到 {limit} 个。"
    ),
    # Searches and lists
    "{place} is no place that a search gave out; leave it out.": (
        "{place} 不是搜索给出的位置;请去掉。"
    ),
    "limit is {value}; it must be between 1 and {limit}.": (
        "limit 是 {value};必须在 1 到 {limit} 之间。"
    ),
    "say what to look for: one word or several.": "请说明要查找什么:一个或多个词。",
    "{name} is {value}; it must be 0 or more.": "{name} 是 {value};必须大于或等于 0。",
    # Stores
    "{what} must be JSON: {why}.": "{what} 必须是 JSON:{why}。",
    "a {kind} event must be JSON: {why}.": "{kind} 事件必须是 JSON:{why}。",
    "Redis cannot be used: {why}. Check DATAAGENT_REDIS_URL and that it runs.": (
        "无法使用 Redis:{why}。请检查 DATAAGENT_REDIS_URL,以及 Redis 是否在运行。"
    ),
    "database {path}: {why}. {how}": "数据库 {path}:{why}。{how:said}",
    "The disk is full: free some space, then run again; nothing written was lost.": (
        "磁盘已满:请释放一些空间后再次运行;已写入的内容没有丢失。"
    ),
    "The file is damaged: move it away (a new one is made) or restore a copy.": (
        "文件已损坏:请将其移走(会创建新的),或从副本恢复。"
    ),
    "Check that the file and its folder can be written.": "请检查该文件及其文件夹是否可写。",
    "Another process holds the database: wait for it, or stop it.": (
        "另一个进程占用着数据库:请等待,或停止该进程。"
    ),
    "Run `dataagent doctor` to check the database.": "请运行 `dataagent doctor` 检查数据库。",
    "{path} is not open.": "{path} 未打开。",
    "an id or a name holds {character}, which is no character; use letters that can be written "
    "as UTF-8.": "标识或名称中含有 {character},它不是有效字符;请使用可写成 UTF-8 的字符。",
    "cannot make {path}: {why}. Choose another place with DATAAGENT_HOME.": (
        "无法创建 {path}:{why}。请用 DATAAGENT_HOME 另选位置。"
    ),
    "{path} was written by a newer DataAgent (schema {version}, this one knows {known}). "
    "Upgrade DataAgent, or set DATAAGENT_DATABASE_URL to another file.": (
        "{path} 由更新版本的 DataAgent 写成(结构版本 {version},此版本支持到 {known})。请升级 "
        "DataAgent,或将 DATAAGENT_DATABASE_URL 设为其他文件。"
    ),
    # The file of an exported session
    "there is no file {path}.": "没有文件 {path}。",
    "{path} cannot be written: {why}.": "无法写入 {path}:{why}。",
    "{path} is larger than {limit} bytes.": "{path} 超过 {limit} 字节。",
    "{path} is no bundle of a session.": "{path} 不是会话的导出包。",
    "{path} holds more names than are read.": "{path} 中的文件名数量超过可读取的上限。",
    "this is no bundle of a session: it has no {name}.": "这不是会话的导出包:其中没有 {name}。",
    "the bundle is damaged: {why}.": "导出包已损坏:{why}。",
    "the bundle holds more than {limit} files.": "导出包中的文件超过 {limit} 个。",
    "the bundle holds more than {limit} messages.": "导出包中的消息超过 {limit} 条。",
    "the bundle holds more than {limit} events.": "导出包中的事件超过 {limit} 个。",
    "the bundle holds {name} twice.": "导出包中有两个 {name}。",
    "the bundle holds {name}, which belongs to none.": "导出包中有 {name},它不属于导出包。",
    "the bundle holds the file name {name}, which is refused.": "导出包中的文件名 {name} 被拒绝。",
    "the bundle holds a run that is not finished.": "导出包中有尚未结束的运行。",
    "{name} in the bundle is packed in a way that is refused.": (
        "导出包中 {name} 的压缩方式被拒绝。"
    ),
    "{name} in the bundle is no plain file; it is refused.": (
        "导出包中的 {name} 不是普通文件,被拒绝。"
    ),
    "{name} in the bundle is too large to be read.": "导出包中的 {name} 过大,无法读取。",
    "{name} in the bundle has more than {limit} bytes.": "导出包中的 {name} 超过 {limit} 字节。",
    "{name} in the bundle stands where another is.": "导出包中的 {name} 与另一项位置重复。",
    # What stands in it
    "{place} has a moment without a time zone.": "{place:said}的时间没有时区。",
    "{place} has no moment that can be shown.": "{place:said}没有可显示的时间。",
    "{place} has no moment that can be read: {why}.": "{place:said}的时间无法读取:{why}。",
    "{place} repeats the message {id}.": "{place:said}重复了消息 {id}。",
    "{place} is no event.": "{place:said}不是事件。",
    "{place} is out of order, or an event twice.": "{place:said}顺序有误,或事件重复。",
    "{place} has an id that is refused.": "{place:said}的标识被拒绝。",
    "{place} is no JSON that can be read: {why}.": "{place:said}不是可读取的 JSON:{why:said}。",
    "{place} is not as it must be: {why}": "{place:said}不符合要求:{why:said}",
    "event {number} follows the end of its run.": "事件 {number} 出现在其运行结束之后。",
    "event {number} begins a run that cannot be.": "事件 {number} 开始了一个无效的运行。",
    "event {number} ends a run that never began.": "事件 {number} 结束了一个从未开始的运行。",
    # Its workspace
    "{path} is no directory. Name one that is new or empty.": (
        "{path} 不是目录。请指明新的或空的目录。"
    ),
    "{path} is not empty, and nothing in it is to be overwritten. Name a directory that is new "
    "or empty.": "{path} 不为空,其中的内容不应被覆盖。请指明新的或空的目录。",
    "the workspace {path} is too large for a bundle (at {file}): a file may have {one} bytes, "
    "all of them {all}. Export without the workspace and copy the files yourself.": (
        "工作区 {path} 过大,无法放入导出包(在 {file} 处):单个文件最多 {one} 字节,全部文件最多 "
        "{all} 字节。请在导出时不含工作区,并自行复制文件。"
    ),
    "the workspace {path} has more than {count} files. Export without it and copy the files "
    "yourself.": "工作区 {path} 的文件超过 {count} 个。请在导出时不含工作区,并自行复制文件。",
    "{name} is no number": "{name} 不是数字",
    "the database refused a duplicate or an orphan: {why}.": "数据库拒绝了重复或孤立的记录:{why}。",
}
