"""Sentences of the slash commands: what each does, and what it says."""

COMMAND_TEXTS: dict[str, tuple[str, str]] = {
    "repl_command.plan": (
        "show the work plan, or change its steps, also while the agent works",
        "查看工作计划或修改其步骤;智能体工作时也可以",
    ),
    "repl_command.model": ("list the models, or switch for the next message", "列出或切换模型"),
    "repl_command.tools": (
        "list the tools by origin, and what a rule says to each",
        "按来源列出工具及其适用规则",
    ),
    "repl_command.skills": ("choose a skill for the next message", "为下一条消息选择技能"),
    "repl_command.agents": (
        "list the sub-agents that @NAME asks for, or show one",
        "列出可用 @NAME 点名的子智能体,或查看其中一个",
    ),
    "repl_command.memory": (
        "show what it remembers and which memories it used; correct or forget one",
        "查看它记住的内容和用到的记忆;纠正或忘记其中一条",
    ),
    "repl_command.mcp": ("list MCP servers, or add, test, sign in ...", "列出或管理 MCP 服务器"),
    "repl_command.sources": ("list data sources, or add, test, remove ...", "列出或管理数据源"),
    "repl_command.permissions": (
        "list the rules that count here, or add, remove, explain ...",
        "列出或修改权限规则",
    ),
    "repl_command.patterns": (
        "list what was learned from runs, or show, compile, run ...",
        "列出从运行中学到的模式,或查看、编译、运行 ...",
    ),
    "repl_command.rate": (
        "say how good the last answer was, and what should have been different",
        "评价最近的回答,并说明应有何不同",
    ),
    "repl_command.context": ("draw how the model's window is spent", "显示上下文窗口的使用情况"),
    "repl_command.compact": (
        "summarise older messages for the model; nothing stored is lost",
        "为模型压缩较早的消息;已保存的内容不变",
    ),
    "repl_command.cost": ("add up what this session used", "合计本会话的用量与费用"),
    "repl_command.diff": (
        "show what the agent changed in files, or since question N",
        "显示文件改动(可指定自第 N 个问题起)",
    ),
    "repl_command.undo": (
        "take back the last changes of files; what you changed stays",
        "撤销最近一次文件改动;你的修改会保留",
    ),
    "repl_command.rewind": (
        "go back to before question N: files, conversation or both; without N, choose",
        "回到第 N 个问题之前:文件、对话或两者;不带 N 则选择",
    ),
    "repl_command.fork": (
        "go on in a copy of this session, as it was before question N",
        "复制会话(可截至第 N 个问题之前)并继续",
    ),
    "repl_command.resume": ("go on with another session; choose one", "继续其他会话"),
    "repl_command.search": ("find sessions that hold all words", "搜索会话"),
    "repl_command.rename": ("give this session a title", "为会话命名"),
    "repl_command.export": ("write this session to a file", "将会话导出为文件"),
    "repl_command.doctor": ("check that everything is in place", "检查运行环境"),
    "command_needs_idle": (
        "the agent is at work. Stop it with Esc, or let it finish first.",
        "智能体正在工作。请按 Esc 停止,或等待其完成。",
    ),
    "command_not_on_server": (
        (
            "/{name} works where the agent does, and it works on {server}. Use that server's "
            "console, or start `{dataagent}` without --server."
        ),
        (
            "/{name} 只能在智能体所在处使用,而它在 {server} 上。请使用该服务器的控制台,"
            "或不带 --server 启动 `{dataagent}`。"
        ),
    ),
    "command_bad_question": (
        "{number!r} is no number of a question. /rewind lists them.",
        "{number!r} 不是问题编号。/rewind 可列出编号。",
    ),
    "command_bad_quotes": (
        "the quotes do not match ({problem}). Close them, or leave them out.",
        "引号不匹配({problem})。请补全或去掉引号。",
    ),
    "command_more": ("more: /{name} {words} ...", "更多:/{name} {words} ..."),
    "command_model_how": (
        "/model NAME switches, as provider:name; prices in USD for a million tokens, in / out.",
        "/model NAME 可切换,格式为 provider:name;价格为每百万 token 的美元价(输入 / 输出)。",
    ),
    "command_model_is": (
        "the next message goes to {model}: window {window} tokens, price {price}.",
        "下一条消息将由 {model} 回答:窗口 {window} token,价格 {price}。",
    ),
    "command_tools_how": (
        "Each call is judged with its arguments: /permissions explain 'COMMAND' says how.",
        "每次调用按其参数判定:/permissions explain 'COMMAND' 可查看原因。",
    ),
    "command_no_skills": (
        "there are no skills. Put a folder with a SKILL.md into {folder} or .dataagent/skills.",
        "没有技能。请将含 SKILL.md 的文件夹放入 {folder} 或 .dataagent/skills。",
    ),
    "command_no_memory": ("(nothing)", "(无)"),
    "command_memory_how": (
        (
            "Edit the files, or tell the agent what to remember. "
            "/memory wrong N [WHAT IS TRUE], forget N, add TEXT, list, search WORDS, off"
        ),
        (
            "可直接编辑这些文件,或让智能体记住内容。"
            "/memory wrong N [正确的内容]、forget N、add 内容、list、search 词语、off"
        ),
    ),
    "command_context_free": ("free", "空闲"),
    "command_cost": (
        (
            "this session: {calls:,} {calls:plural call calls}, {input:,} tokens in "
            "({cached} cached), {output:,} out: {cost}"
        ),
        "本会话:{calls:,} 次调用,输入 {input:,} token({cached} 缓存),输出 {output:,}:{cost}",
    ),
    "command_cost_how": (
        "`{dataagent} usage` adds up days and months.",
        "`{dataagent} usage` 可按日、按月合计。",
    ),
    "command_nothing_said": ("nothing was said in this session yet.", "本会话中还没有消息。"),
    "command_pick_rewind": ("before which question?", "恢复到哪个问题之前?"),
    "command_pick_part": ("what goes back?", "回退哪些内容?"),
    "command_rewind.both": ("files and conversation", "文件和对话"),
    "command_rewind.conversation": (
        "the conversation only; files stay as they are",
        "仅对话;文件保持不变",
    ),
    "command_rewind.files": ("files only; what was said stays", "仅文件;对话保持不变"),
    "command_bad_part": (
        "{part!r} is neither both, conversation nor files.",
        "{part!r} 不是 both、conversation 或 files。",
    ),
    "command_rewound_talk": (
        (
            "the conversation goes on before question {number}, in a session of its own. "
            "What was said after it is kept: /resume {old}"
        ),
        "对话从第 {number} 个问题之前继续,成为新的会话。此后的内容仍保留:/resume {old}",
    ),
    "command_fork_unused": (
        (
            "this session goes on as it was: its files could not go back. A copy that ends before "
            "question {number} was made and could not be removed: /resume {new}"
        ),
        "文件未能恢复,本会话保持不变。第 {number} 个问题之前内容的副本未能移除:/resume {new}",
    ),
    "command_already_here": (
        "you are in that session already. /resume lists the others.",
        "当前就是该会话。/resume 可列出其他会话。",
    ),
    "command_session_in_use": (
        "that session is in use by another process. End that first, or /fork it there.",
        "该会话正被其他进程使用。请先结束该进程,或在那里用 /fork 复制。",
    ),
    "command_no_other_session": (
        "there is no other session yet. /clear begins one.",
        "还没有其他会话。/clear 可开始新会话。",
    ),
    "command_needs_words": ("say what to look for: /search WORDS", "请给出搜索内容:/search 词语"),
    "command_search_how": ("/resume SESSION opens one.", "/resume SESSION 可打开会话。"),
    "command_needs_title": ("say what to call it: /rename TITLE", "请给出名称:/rename 名称"),
    "command_forked": (
        "you are in a copy of the session now; the session itself stays as it is.",
        "当前为会话的副本;原会话保持不变。",
    ),
    "command_export_how": (
        "type /export, a format (md, html or json) and one file's name; quote spaces.",
        "用法:/export 格式(md、html 或 json)文件名;含空格时请加引号。",
    ),
    "no_such_format": (
        "there is no format {name!r}. A session is written as md, html or json.",
        "没有格式 {name!r}。会话可导出为 md、html 或 json。",
    ),
    "command_doctor_looks": ("looking …", "检查中 …"),
    "command_name_taken": (
        "{path} is left out: /{name} is a command of ours. Give the file another name.",
        "{path} 未使用:/{name} 是内置命令。请为文件换个名称。",
    ),
    "command_gone": (
        "the file of /{name} is gone, or its folder is not trusted any more.",
        "/{name} 的文件已不存在,或其目录不再受信任。",
    ),
}
