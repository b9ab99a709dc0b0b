"""What is said of files that an agent changed, and of the way back: English, Chinese."""

HISTORY_TEXTS: dict[str, str] = {
    # Rewind
    "session {id} has no message to undo.": "会话 {id} 没有可撤销的消息。",
    "session {id} has no message {message} of a person. Look at its messages and name one of "
    "them.": "会话 {id} 没有由人发送的消息 {message}。请查看其消息并指定其中一条。",
    "session {id} has an unfinished run: wait for it, stop it, or resume it first. Then rewind.": (
        "会话 {id} 有未完成的运行:请先等待其结束、停止或继续它。然后再回退。"
    ),
    "the snapshots from before message {message} are gone: only the newest are kept, within "
    "limits of age and size. Rewind to a later message.": (
        "消息 {message} 之前的快照已不存在:只在时间和大小限制内保留最新的快照。请回退到较晚的消息。"
    ),
    "Another process has been looking at this workspace for {seconds} s. Wait for it, or stop it, "
    "then try again.": "另一个进程查看此工作区已有 {seconds} 秒。请等待或停止它,然后重试。",
    # What cannot go back
    "Earlier changes are no longer known: their snapshots are gone.": (
        "更早的修改已无从得知:其快照已不存在。"
    ),
    "Not looked into, and so as they are: {places}.": "未查看其内容,因此保持原样:{places:said}。",
    "Cannot be opened, and so as they are: {places}.": "无法打开,因此保持原样:{places}。",
    "The workspace has more entries than are looked at; the deepest are as is.": (
        "工作区的条目多于可查看的数量;最深层的保持原样。"
    ),
    "{count} files are not kept, and what an agent changes in them cannot go back: kept are files "
    "up to {bytes} bytes, the first {files} of them and {total} bytes in all.": (
        "{count} 个文件没有保存,智能体对它们的修改无法回退:只保存不超过 {bytes} 字节的文件,"
        "最多前 {files} 个,共 {total} 字节。"
    ),
    # What of a command's changes was not seen
    "The workspace has more than {count} entries; what commands change in its deepest folders is "
    "not seen.": "工作区的条目超过 {count} 个;命令在最深层文件夹中的修改不会被看到。",
    "What commands change in {places} is not seen: it cannot be opened.": (
        "命令在 {places:said} 中的修改不会被看到:无法打开。"
    ),
    "What the command changed in the workspace is not known: {error}: {why}.": (
        "命令在工作区中的修改无从得知:{error}:{why}。"
    ),
    "{count} of the changes come without a diff: only files up to {bytes} bytes are kept to "
    "compare with, the first {files} of them and {total} bytes in all, and none that cannot be "
    "read.": (
        "{count} 处修改没有差异对比:只保存不超过 {bytes} 字节的文件用于比较,最多前 {files} 个,"
        "共 {total} 字节,无法读取的不保存。"
    ),
    "{count} of the changes come without a diff: {chars} characters of diffs are recorded of one "
    "command.": "{count} 处修改没有差异对比:每条命令最多记录 {chars} 个字符的差异。",
}
