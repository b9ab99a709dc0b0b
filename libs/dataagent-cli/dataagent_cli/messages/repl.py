"""Sentences of the conversation in the terminal: `dataagent` alone."""

REPL_TEXTS: dict[str, tuple[str, str]] = {
    # Starting
    "repl_needs_terminal": (
        (
            "a conversation needs a terminal, and this is none. Ask one question with\n"
            '  {dataagent} run "..."'
        ),
        '对话需要终端,而此处没有。可用以下命令提问:\n  {dataagent} run "..."',
    ),
    "repl_welcome": (
        "DataAgent {version} · {path} · /help lists commands",
        "DataAgent {version} · {path} · 输入 /help 查看命令",
    ),
    "repl_welcome_back": (
        "DataAgent {version} · /help lists commands",
        "DataAgent {version} · 输入 /help 查看命令",
    ),
    "repl_works_in": ("{title}working in {path}", "{title}工作目录:{path}"),
    "repl_works_elsewhere": (
        "{title}working in {path}, not in the directory you are in",
        "{title}工作目录:{path}(不是当前目录)",
    ),
    "repl_place_gone": (
        "the directory of this session, {path}, is gone; it goes on in {here}.",
        "此会话的目录 {path} 已不存在;将在 {here} 中继续。",
    ),
    "repl_end_shown": (
        (
            "{count} {count:plural question questions} so far; the last ones stand below, "
            "/export writes all."
        ),
        "共 {count} 个问题;以下仅显示最近的部分,/export 可导出全部。",
    ),
    "repl_opening": (
        "opening the session … what you send waits for it",
        "正在打开会话 … 发送的内容会等待",
    ),
    "repl_task.finished": (
        (
            "A background task has finished ({title}). Ask the agent for its report, or read it: "
            "/resume {id}"
        ),
        "后台任务已完成({title})。可以让智能体给出它的报告,或自行查看:/resume {id}",
    ),
    "repl_task.failed": (
        "A background task has failed ({title}). Ask the agent why, or see it: /resume {id}",
        "后台任务失败({title})。可以让智能体说明原因,或自行查看:/resume {id}",
    ),
    "repl_task.waiting": (
        "A background task waits for your answer ({title}): /resume {id}",
        "后台任务在等你回答({title}):/resume {id}",
    ),
    "repl_task_of": (
        "This is a background task. /resume {id} returns to its conversation.",
        "这是一个后台任务。/resume {id} 返回它所属的对话。",
    ),
    "repl_tasks_continued": (
        "Background tasks that go on: {count}. Ask the agent how they stand.",
        "有 {count} 个后台任务继续执行。可以让智能体查看它们的进展。",
    ),
    "repl_tasks_stopped": (
        "Background tasks that stop now: {count}. They go on when you open this session again.",
        "有 {count} 个后台任务现在停止。再次打开此会话时会继续执行。",
    ),
    "repl_nothing_to_continue": (
        (
            "no session was held in {path} yet. `{dataagent}` starts one, `{dataagent} --resume` "
            "lists those of other directories."
        ),
        (
            "{path} 中还没有会话。`{dataagent}` 可开始新会话,"
            "`{dataagent} --resume` 列出其他目录的会话。"
        ),
    ),
    "repl_one_session": (
        "--continue, --session and --resume each name a session. Give one of them.",
        "--continue、--session 和 --resume 都用于指定会话,请只给出其一。",
    ),
    "repl_no_sessions": (
        "there is no session to resume yet. `{dataagent}` starts one.",
        "还没有可恢复的会话。`{dataagent}` 可开始新会话。",
    ),
    "repl_pick_session": ("which session?", "选择会话"),
    "repl_pick_how": (
        "↑↓ choose · type to search · Enter takes it · Esc leaves",
        "↑↓ 选择 · 输入以搜索 · Enter 确认 · Esc 退出",
    ),
    "repl_loading": ("loading …", "加载中 …"),
    "repl_demo": (
        "Here it is, with a made-up shop: its question stands at the prompt, Enter asks it.",
        "演示就在这里,使用虚构商店的数据:问题已写在输入框中,按 Enter 提问。",
    ),
    # Trust
    "repl_trust_title": ("do you trust this directory?", "是否信任此目录?"),
    "repl_trust_about": (
        (
            "The agent will read files in {path} and, after asking you, change them and run "
            "commands in it."
        ),
        "智能体将读取 {path} 中的文件,并在询问你之后修改文件、执行命令。",
    ),
    "repl_trust_rules": (
        "It brings rules of its own about what need not be asked: {path}",
        "该目录自带免询问规则:{path}",
    ),
    "repl_trust_toolchains": (
        "Commands will see, and cannot change, what the project is built with: {paths}",
        "命令可以读取(不能修改)项目所用的工具链:{paths}",
    ),
    "repl_registries": (
        "May commands fetch packages from {hosts}? [y/N] ",
        "是否允许命令从 {hosts} 下载软件包?[y/N] ",
    ),
    "repl_env_title": (
        "the .env of this directory says where your data goes",
        "此目录的 .env 指定了数据去向",
    ),
    "repl_env": (
        "Let it? Messages, files the agent reads and keys go there. [y/N] ",
        "是否采用?消息、智能体读取的文件和密钥将发送到那里。[y/N] ",
    ),
    "repl_trust_choices": (
        (
            "[y] yes, and its own rules count\n"
            "[n] no: work here, but its rules can only forbid\n"
            "[q] leave"
        ),
        "[y] 信任,其规则生效\n[n] 不信任:在此工作,但其规则只能收紧权限\n[q] 退出",
    ),
    "repl_not_trusted": ("nothing was started in {path}.", "未在 {path} 中启动。"),
    "repl_trust_bad": ("please answer y, n or q", "请输入 y、n 或 q"),
    # The status line
    "repl_mode": ("{mode} (Shift-Tab)", "{mode}(Shift-Tab)"),
    "repl_mode.ask": ("ask mode", "询问模式"),
    "repl_mode.plan": ("plan mode", "计划模式"),
    "repl_mode.auto": ("auto mode", "自动模式"),
    "repl_mode_about.ask": (
        "what is not allowed by a rule is asked first",
        "规则未允许的操作先询问",
    ),
    "repl_mode_about.plan": ("only reads; ends with a plan to accept", "只读;最后给出待确认的计划"),
    "repl_mode_about.auto": (
        "goes on without asking, within what the rules deny or ask for",
        "在规则范围内不再询问",
    ),
    "repl_bad_mode": (
        "there is no mode {mode!r}. Use ask, plan or auto.",
        "没有模式 {mode!r}。可用 ask、plan 或 auto。",
    ),
    "repl_context_share": ("{share} of context", "上下文 {share}"),
    "repl_context_tokens": ("{tokens} tokens in context", "上下文 {tokens} token"),
    "repl_cost_at_least": ("at least {cost}", "至少 {cost}"),
    "repl_sandbox.bwrap": ("sandboxed", "沙箱"),
    "repl_sandbox.host": ("NO SANDBOX", "无沙箱"),
    "repl_sandbox.vendor": ("remote sandbox", "远程沙箱"),
    "repl_sandbox.none": ("no shell", "无 shell"),
    # Input
    "repl_placeholder": (
        "ask anything · @ a sub-agent, file or source · / commands · ! a shell line",
        "直接提问 · @ 引用子智能体、文件或数据源 · / 命令 · ! 执行命令行",
    ),
    "repl_source": ("data source", "数据源"),
    "repl_prompt_argument": ("{name}{about}: ", "{name}{about}:"),
    "repl_server": ("MCP server", "MCP 服务器"),
    "repl_pasted_lines": ("[pasted {count} lines]", "[已粘贴 {count} 行]"),
    "repl_pasted_chars": ("[pasted {count} characters]", "[已粘贴 {count} 个字符]"),
    "repl_queued": ("next: {text}", "排队中:{text}"),
    "repl_queued_more": ("… and {count} more", "… 还有 {count} 条"),
    "repl_queue_how": ("Up takes it back", "按 ↑ 取回"),
    "repl_sent": ("sent: {text}", "已发送:{text}"),
    "repl_working": ("working · {seconds} s · Esc stops it", "工作中 · {seconds} 秒 · Esc 停止"),
    "repl_waits_for_you": ("waits for your answer", "等待你的回答"),
    "repl_question_waits": (
        "a question waits: send or clear your text, or press Esc to set it aside",
        "有问题待回答:请先发送或清空输入,或按 Esc 暂存",
    ),
    "repl_stopping": ("stopping …", "正在停止 …"),
    "repl_how_to_leave": ("Ctrl-D or /quit leaves.", "按 Ctrl-D 或输入 /quit 退出。"),
    "repl_warn_leaving": (
        "the agent is at work. Ctrl-D again stops it and leaves.",
        "智能体正在工作。再按一次 Ctrl-D 将停止并退出。",
    ),
    "repl_left": (
        "go on with: {dataagent} --continue   (or --session {session})",
        "继续:{dataagent} --continue(或 --session {session})",
    ),
    "repl_left_elsewhere": (
        "go on with: {dataagent} --resume {session}",
        "继续:{dataagent} --resume {session}",
    ),
    "repl_line_exit": ("exit code {code}", "退出码 {code}"),
    "repl_line_waits": ("waits: {command}", "等待执行:{command}"),
    "repl_line_goes_along": (
        "the model is given this output with your next message; a line with !! is not told to it",
        "此输出会随你的下一条消息发给模型;以 !! 开头的命令则不会",
    ),
    "repl_line_empty": ("type a command after the !", "请在 ! 后输入命令"),
    "repl_search": ("search: ", "搜索:"),
    "repl_search_nothing": ("search (nothing found): ", "搜索(未找到):"),
    "repl_keys": (
        (
            "Enter sends; Alt-Enter, Ctrl-J or a backslash before Enter begins a new line.\n"
            "Up brings back what was typed, Ctrl-R searches it, Tab completes.\n"
            "Shift-Tab switches the mode, Ctrl-O shows the last call in full.\n"
            "Ctrl-V pastes a picture from the clipboard.\n"
            "Esc or Ctrl-C stops the run, Ctrl-D leaves."
        ),
        (
            "Enter 发送;Alt-Enter、Ctrl-J 或在 Enter 前输入反斜杠可换行。\n"
            "↑ 取回输入历史,Ctrl-R 搜索历史,Tab 补全。\n"
            "Shift-Tab 切换模式,Ctrl-O 完整显示最近一次调用。\n"
            "Ctrl-V 粘贴剪贴板中的图片。\n"
            "Esc 或 Ctrl-C 停止任务,Ctrl-D 退出。"
        ),
    ),
    "clipboard_no_program": (
        (
            "no program here can read pictures from the clipboard. Install wl-clipboard (Wayland), "
            "xclip (X11) or pngpaste (macOS), or type the path of the picture."
        ),
        (
            "此处没有能读取剪贴板图片的程序。请安装 wl-clipboard(Wayland)、xclip(X11)"
            "或 pngpaste(macOS),或输入图片的路径。"
        ),
    ),
    "clipboard_no_picture": (
        "the clipboard holds no picture{reason}. Text is pasted with your terminal's own key.",
        "剪贴板中没有图片{reason}。文本请用终端自带的按键粘贴。",
    ),
    "clipboard_too_large": (
        "the picture in the clipboard has more than {limit:,} bytes. Make it smaller first.",
        "剪贴板中的图片超过 {limit:,} 字节。请先缩小。",
    ),
    "clipboard_not_stored": (
        "the picture in the clipboard cannot be put into the workspace: {reason}.",
        "无法将剪贴板中的图片存入工作区:{reason}。",
    ),
    # Commands
    "repl_no_command": (
        "there is no command /{name}. {guess}/help lists them.",
        "没有命令 /{name}。{guess}输入 /help 查看。",
    ),
    "repl_command.help": ("list the commands and the keys", "列出命令和按键"),
    "repl_command.mode": (
        "show or switch the mode: ask, plan, auto",
        "查看或切换模式:ask、plan、auto",
    ),
    "repl_command.unfold": (
        "show in full what stands beside a #number; without one, the last",
        "完整显示 #编号 对应的内容;不带编号则为最近一次",
    ),
    "repl_bad_number": ("/unfold takes a number: /unfold 3", "/unfold 需要编号,例如 /unfold 3"),
    "repl_command.clear": ("begin a new session on a clear screen", "清屏并开始新会话"),
    "repl_command.quit": ("leave; the session is kept", "退出;会话会保留"),
}
