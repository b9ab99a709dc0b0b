"""Sentences of `dataagent sessions rewind` and `changes`."""

REWIND_TEXTS: dict[str, tuple[str, str]] = {
    "rewound": (
        "{restored} restored, {removed} removed, {kept} left as is.",
        "恢复 {restored} 个,移除 {removed} 个,保留 {kept} 个。",
    ),
    "rewound.restored": ("restored {path}", "已恢复 {path}"),
    "rewound.removed": ("removed {path}", "已移除 {path}"),
    "rewound.kept": ("left as it is: {path} ({why})", "保持原样:{path}({why})"),
    "why.changed": ("somebody else changed it since", "此后被他人修改"),
    "why.not_kept": ("what it held is not kept", "其原内容未保存"),
    "why.untracked": ("it is not looked into", "不跟踪该目录"),
    "why.not_seen": ("it cannot be looked at", "无法查看"),
    "why.refused": ("it could not be written", "无法写入"),
    "no_changes": ("the agent changed no files.", "代理没有修改任何文件。"),
    "changed.write": ("made {path}", "新建 {path}"),
    "changed.edit": ("changed {path}", "修改 {path}"),
    "changed.delete": ("removed {path}", "删除 {path}"),
    "changed.more": ("and {count} more", "以及另外 {count} 个"),
    "cannot_go_back": ("cannot go back: {why}", "无法回退:{why}"),
    "rewind_no_workspace": (
        "no message of the session says where the agent worked. Name it with --workspace.",
        "该会话没有记录代理的工作目录。请用 --workspace 指定。",
    ),
}
