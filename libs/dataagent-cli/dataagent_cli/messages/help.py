"""What `--help` says, paragraph by paragraph: each English one of the commands, in Chinese.

A paragraph that shows commands to type stands as it is in both languages and is not listed.
"""

_CHINESE: dict[str, str] = {
    # click's own words
    "Usage: ": "用法:",
    "Options": "选项",
    "Commands": "命令",
    "Show this message and exit.": "显示此帮助并退出。",
    "Show the version and exit.": "显示版本并退出。",
    # The program, conversations and runs
    "Ask in plain words, see every step, stay in control.": (
        "用日常语言提问,看清每一步,始终由你掌控。"
    ),
    "Without a command, a conversation starts in the current directory.": (
        "不带命令时,在当前目录开始对话。"
    ),
    "Print the answer to the question and end, as `run` does.": "像 `run` 一样输出答案后结束。",
    "Go on with this directory's last session.": "继续此目录的上一个会话。",
    "Go on with this session, or name a new one.": "继续此会话,或为新会话命名。",
    "Go on with this session; without one, choose from a list.": (
        "继续此会话;未指定则从列表中选择。"
    ),
    "Model, as provider:name.": "模型,格式为 provider:name。",
    "Let a server do the work; without an address, that of the last login.": (
        "由服务器执行;未给地址时使用上次登录的服务器。"
    ),
    "With --server: allow one without https.": "与 --server 一起使用:允许非 https 的服务器。",
    "Ask before acting, only plan, or go on within the rules.": (
        "先询问、仅规划,或在规则之内自行执行。"
    ),
    "Run commands on this machine without a sandbox, with all your rights.": (
        "在本机不经沙箱运行命令,拥有你的全部权限。"
    ),
    "Where commands run and files are: this machine's sandbox, or a vendor's machine.": (
        "命令运行和文件所在之处:本机沙箱,或供应商的机器。"
    ),
    "Work on this machine of the vendor.": "在供应商的这台机器上工作。",
    "Ask the agent; PROMPT `-` reads standard input, other input goes below the prompt.": (
        "向代理提问;PROMPT 为 `-` 时读取标准输入,其他输入放在提示之后。"
    ),
    (
        "The answer goes to stdout, everything about it to stderr. Exit codes: 0 done, 1 failed, 2 "
        "wrong use, 3 rejected or approval needed with no terminal, 4 time-out, 130 cancelled."
    ): (
        "答案写到 stdout,其余信息写到 stderr。退出码:0 完成,1 失败,2 用法错误,"
        "3 被拒绝或需要批准但没有终端,4 超时,130 已取消。"
    ),
    "One event per line on stdout, as JSON.": "在 stdout 上每行输出一个 JSON 事件。",
    "The answer as JSON valid against this JSON Schema.": "以符合此 JSON Schema 的 JSON 作答。",
    "Continue this session, or name the new one.": "继续此会话,或为新会话命名。",
    "Finish the interrupted run of this session.": "完成此会话中断的运行。",
    "Directory to work in; by default the current one.": "工作目录;默认为当前目录。",
    "Ask first, only plan (nothing is changed), or work by itself within the rules.": (
        "先询问、仅规划(不做任何更改),或在规则之内自行工作。"
    ),
    "Approve everything the agent asks.": "批准代理的所有请求。",
    "Approve this tool; repeatable.": "批准此工具;可重复使用。",
    "Seconds the run may take.": "运行的最长秒数。",
    "Watch a complete run: a plan, files, an approval, a diff, an answer.": (
        "观看一次完整的运行:计划、文件、批准、差异和答案。"
    ),
    "Directory to work in; by default a fresh temporary one.": "工作目录;默认为新的临时目录。",
    "Print JSON.": "输出 JSON。",
    # Setting up and looking
    "Print a shell's completion script.": "输出 shell 的补全脚本。",
    "Look at the configuration.": "查看配置。",
    "Show every setting, its value (secrets masked) and where it came from.": (
        "显示每项设置、其值(密钥已遮盖)和来源。"
    ),
    "Show how the window of a session's last model call was spent.": (
        "显示会话最近一次模型调用的上下文用量。"
    ),
    "Check that everything is in place, and say what to fix.": (
        "检查是否一切就绪,并说明需要修复的内容。"
    ),
    "Show the manual page; without a terminal, print its source.": (
        "显示手册页;没有终端时输出其源文本。"
    ),
    "`dataagent man > dataagent.1` writes the file that a package installs.": (
        "`dataagent man > dataagent.1` 生成软件包要安装的文件。"
    ),
    "Show providers, the model used now, and the catalogue.": (
        "显示模型提供方、当前模型和模型目录。"
    ),
    "Choose a model: paste a key, or use one that runs on this machine.": (
        "选择模型:粘贴密钥,或使用本机运行的模型。"
    ),
    "Print what is found here; ask nothing.": "输出在此找到的内容;不提问。",
    "Show what models were used for, in tokens and money.": "显示模型用量(token 和费用)。",
    "Today (UTC), by session.": "今天(UTC),按会话。",
    "This month (UTC), by day; what is shown by default.": "本月(UTC),按日;默认显示。",
    "One session, by run.": "一个会话,按运行。",
    "Sign in to a server with an API key, to use it with `--server`.": (
        "用 API 密钥登录服务器,以便通过 `--server` 使用。"
    ),
    (
        "The key is asked for, or read from DATAAGENT_API_KEY or standard input, and kept sealed."
    ): "密钥会被询问,或从 DATAAGENT_API_KEY 或标准输入读取,并加密保存。",
    "Send the key in the clear, to a server without https.": "向非 https 的服务器明文发送密钥。",
    "Forget the key of a server, the last one when none is named.": (
        "删除服务器的密钥;未指定时为上次登录的服务器。"
    ),
    # Data
    "Look at data, query it, chart it and report on it.": "查看、查询数据,绘制图表并生成报告。",
    'Draw a kept RESULT, as INTENT says: "line of revenue by month".': (
        '按 INTENT 绘制已保存的 RESULT,例如 "line of revenue by month"。'
    ),
    "The folder to write to.": "写入的文件夹。",
    "The formats to write; repeatable.": "要写入的格式;可重复使用。",
    "Say whether SQL may run, how, and what it costs. Nothing is run.": (
        "说明 SQL 能否运行、如何运行以及代价。不会执行。"
    ),
    "A source's name, or the path of a data file.": "数据源名称,或数据文件的路径。",
    "Describe a TABLE of SOURCE; a file has only one.": "描述 SOURCE 的表 TABLE;文件只有一个表。",
    "Also nulls, distinct values and ranges.": "同时显示空值、不同值的数量和取值范围。",
    "Write a kept RESULT to a file.": "将已保存的 RESULT 写入文件。",
    "By the file's name if unset, else csv.": "未指定时按文件名决定,否则为 csv。",
    "The file to write.": "要写入的文件。",
    "List the sources, or the tables of SOURCE.": "列出数据源,或 SOURCE 的表。",
    "Run one SELECT and keep its rows under a result id.": "运行一条 SELECT,并以结果编号保存其行。",
    "Rows to keep.": "保留的行数。",
    "Seconds it may take.": "最长秒数。",
    "Run it even if it is expensive.": "即使代价高也运行。",
    "Run the report of a definition FILE with fresh data.": "用最新数据运行定义文件 FILE 的报告。",
    "A parameter's value.": "参数的值。",
    "Write the sample warehouse, a made-up shop, into FOLDER.": (
        "将示例数据仓库(虚构商店)写入 FOLDER。"
    ),
    "Find tables, metrics and verified questions by WORDS.": (
        "按 WORDS 查找表、指标和已验证的问题。"
    ),
    "Only this source.": "仅此数据源。",
    "Run this project's verified questions and show what differs.": (
        "运行本项目已验证的问题,并显示差异。"
    ),
    "Add, list, test and remove data sources.": "添加、列出、测试和删除数据源。",
    "Add a file, a folder or a database under NAME.": "以 NAME 添加文件、文件夹或数据库。",
    "What it holds, for people and models.": "其内容说明,供人和模型阅读。",
    "A login of its own for writes, which are always asked about.": (
        "写入专用的登录;写入总会先询问。"
    ),
    "Mask it for models.": "对模型遮盖。",
    "Never mask it.": "从不遮盖。",
    "Leave it out entirely.": "完全排除。",
    "How files write 01/02/2024.": "文件中 01/02/2024 的写法。",
    "How files write 1.234.": "文件中 1.234 的写法。",
    "In which encoding text files are: utf-8, cp1250, gb18030, ...": (
        "文本文件的编码:utf-8、cp1250、gb18030 等。"
    ),
    "The login can only read; I checked.": "该登录只能读取;我已确认。",
    "Replace a source of this name.": "替换同名数据源。",
    "List the sources; passwords are not shown.": "列出数据源;不显示密码。",
    "Forget a source; its data stays where it is.": "删除数据源的记录;数据本身不变。",
    "Connect to a source and say what its login may do.": "连接数据源,并说明其登录的权限。",
    # Skills and sub-agents
    "List, write, check, test, install and remove skills.": (
        "列出、编写、检查、测试、安装和删除技能。"
    ),
    "In this project's .dataagent, not in your own folder.": (
        "放在此项目的 .dataagent 中,而不是个人文件夹。"
    ),
    "Facts, preferences and decisions that are remembered of you, each with its source.": (
        "关于你的记忆:事实、偏好和决定,各有其来源。"
    ),
    "List the memories, the ones last recorded first.": "列出记忆,最近记录的在前。",
    "Only of this type.": "仅此类型。",
    "Only of this scope.": "仅此范围。",
    "What holds no longer too.": "也包括不再有效的。",
    "Search the memories by words and meaning.": "按词语和语义搜索记忆。",
    "What was true then, as 2026-11-12.": "当时有效的内容,如 2026-11-12。",
    "What is compared: meanings, words, or both and the graph.": (
        "比较的内容:语义、词语,或两者及图谱。"
    ),
    "Say what each leg of the search gave.": "说明搜索各部分的贡献。",
    "Show a memory: its source, since when it holds, and what it took the place of.": (
        "显示一条记忆:来源、起始时间,以及它取代的内容。"
    ),
    "Remember something; what it contradicts holds no longer.": (
        "记住一件事;与之矛盾的内容不再有效。"
    ),
    "How many memories at most.": "最多多少条记忆。",
    "What kind of memory it is.": "记忆的类型。",
    "Where it counts: with this assistant, in this folder, or everywhere.": (
        "适用范围:此助手、此文件夹,或所有地方。"
    ),
    "When it began to be true; now, when not given.": "从何时起有效;未给出时为现在。",
    "When it is to be forgotten.": "何时忘记。",
    "Say that a memory was never true, and what is true instead.": (
        "说明一条记忆从来不对,以及正确的内容。"
    ),
    "Remove a memory with everything that rests on it alone, and show that it is gone.": (
        "删除一条记忆及仅由它得出的一切,并证明已删除。"
    ),
    "The conversation that it comes from stays: `dataagent sessions delete` removes that.": (
        "它所来自的对话仍保留:`dataagent sessions delete` 可删除对话。"
    ),
    "Write all memories, one JSON document in a line, into FILE or to standard output.": (
        "将全部记忆写入 FILE 或标准输出,每行一个 JSON 文档。"
    ),
    "Count the memories that are twice there, stale, without a source, or hold a secret.": (
        "统计重复、陈旧、没有来源或含有机密的记忆。"
    ),
    "Ways of working that were learned from your runs, and workflows made of them.": (
        "从你的运行中学到的工作方式,以及由其生成的工作流。"
    ),
    "List the patterns: how often each led to a result, and what its workflow has saved.": (
        "列出模式:各自取得结果的次数,以及其工作流节省了多少。"
    ),
    "Show a pattern: its steps, what people chose and corrected, and its workflow.": (
        "显示模式:步骤、人的选择与纠正,以及其工作流。"
    ),
    "Print only the file of its workflow.": "仅输出其工作流文件。",
    "Make a workflow of a pattern that was done several times in the same way.": (
        "将多次以相同方式完成的模式生成为工作流。"
    ),
    "Shows the file, or how it differs from the one before, and stores it on a yes.": (
        "显示文件或与之前的差异,确认后保存。"
    ),
    "Take over the file of a workflow that you have changed; FILE `-` is standard input.": (
        "采用你修改过的工作流文件;FILE 为 `-` 时读取标准输入。"
    ),
    "`patterns show NAME --workflow` prints the present one.": (
        "`patterns show NAME --workflow` 会输出当前文件。"
    ),
    "Run the workflow of a pattern; each call is asked about as always.": (
        "运行模式的工作流;每次调用照常询问。"
    ),
    "A model is used only where data differ. At the first surprise the agent goes on.": (
        "仅在数据不同之处使用模型。一旦出现意外,由智能体接手。"
    ),
    "An input; repeatable.": "输入项;可重复。",
    "Delete a pattern with its workflow and all it learned; sessions stay.": (
        "删除模式及其工作流和学到的一切;会话保留。"
    ),
    "List the skills of all tiers; a nearer one of the same name wins.": (
        "列出所有层级的技能;同名时以较近的层级为准。"
    ),
    "Show a skill: where it is, what it may use, its text and its files.": (
        "显示技能:位置、可用工具、正文和文件。"
    ),
    "Write a new skill from a template, to be filled in.": "按模板新建技能,供你填写。",
    "What it is for and when to use it.": "用途以及何时使用。",
    "Check skills and name every problem with its line; without a name, check all.": (
        "检查技能,指出每个问题及其行号;未给名称时检查全部。"
    ),
    "The exit code is 1 if one cannot be used.": "有技能不可用时退出码为 1。",
    "Try the prompts of evals/evals.json: which skills fire, and which get in each other's way.": (
        "运行 evals/evals.json 中的提示:哪些技能触发,哪些互相干扰。"
    ),
    "The exit code is 1 if a skill is broken or has no prompts.": (
        "如果某个技能有错误或没有提示词,退出码为 1。"
    ),
    "Copy a skill into your own folder, or into the project's.": (
        "将技能复制到个人文件夹或项目文件夹。"
    ),
    "Replace a skill of this name without a question.": "直接替换同名技能,不再询问。",
    "Remove a skill with its files from your own folder, or from the project's.": (
        "从个人文件夹或项目文件夹删除技能及其文件。"
    ),
    "List, show and write sub-agents: specialists that the agent gives work to.": (
        "列出、显示和编写子智能体:由智能体分派工作的专家。"
    ),
    "List the sub-agents of the project, your own and the built-in ones.": (
        "列出项目的、个人的和内置的子智能体。"
    ),
    "Show a sub-agent as its file; what is printed can be saved and changed.": (
        "以文件形式显示子智能体;输出可保存后修改。"
    ),
    "Write the file of a new sub-agent, to be filled in.": "新建子智能体文件,供你填写。",
    "What it does and when to choose it.": "它做什么,以及何时选择它。",
    "Begin with a copy of this one.": "以此为副本开始。",
    # MCP
    "Add, list, test, use and remove MCP servers.": "添加、列出、测试、使用和删除 MCP 服务器。",
    "Add the server NAME: a program of this machine, or an address.": (
        "添加服务器 NAME:本机程序,或一个地址。"
    ),
    (
        "Values of --env, --header and --client-secret may hold ${VARIABLE} or "
        "${VARIABLE:-default}, which is filled in at every start."
    ): (
        "--env、--header 和 --client-secret 的值可包含 ${VARIABLE} 或 "
        "${VARIABLE:-default},每次启动时代入。"
    ),
    "The program to start; its arguments follow.": "要启动的程序;其参数跟在后面。",
    "Where a server that runs elsewhere is reached.": "远程服务器的地址。",
    "How it is reached.": "连接方式。",
    "A variable for the program; K: yours.": "程序的环境变量;K:沿用你的。",
    "Sent with each request.": "随每个请求发送。",
    "The program's.": "程序的网络权限。",
    "It may reach only these.": "只允许访问这些主机。",
    "The program may read this.": "程序可读取此路径。",
    "The program may change this.": "程序可修改此路径。",
    "Seconds to connect.": "连接的最长秒数。",
    "A client registered for its sign-in beforehand.": "事先为其登录注册的客户端。",
    "That client's secret; better '${VARIABLE}'.": "该客户端的密钥;最好写成 '${VARIABLE}'。",
    "What to ask for when signing in.": "登录时请求的权限范围。",
    "Write it down without using it.": "仅记录,不使用。",
    "Replace a server of this name.": "替换同名服务器。",
    "Call TOOL of the server NAME with JSON arguments; `-` reads them from standard input.": (
        "用 JSON 参数调用服务器 NAME 的工具 TOOL;`-` 表示从标准输入读取。"
    ),
    "Where pictures and files of the answer go; by default here.": (
        "回答中的图片和文件存放之处;默认为当前目录。"
    ),
    "The folder whose .mcp.json counts; by default the current one.": (
        "采用其 .mcp.json 的文件夹;默认为当前目录。"
    ),
    "Leave a server out of every run, without forgetting it.": (
        "所有运行都不使用该服务器,但保留其记录。"
    ),
    "Use a server again.": "重新使用服务器。",
    "Take over the servers of another program, from FILE or from where it keeps them.": (
        "从 FILE 或其他程序的配置位置导入其服务器。"
    ),
    "Find its files here.": "在此查找其文件。",
    "Replace servers of the same name.": "替换同名服务器。",
    "List the servers and where each comes from; secrets are not shown.": (
        "列出服务器及其来源;不显示密钥。"
    ),
    "Sign in at a server, in a browser.": "在浏览器中登录服务器。",
    "Ask for this; by default what is needed.": "请求此权限;默认为所需权限。",
    "Only print the address.": "仅输出地址。",
    "Forget your sign-in at a server.": "删除你在服务器上的登录。",
    "Forget a server.": "删除服务器的记录。",
    "Be an MCP server on standard input and output, for a program that starts this one.": (
        "作为 MCP 服务器在标准输入和输出上运行,供启动它的程序使用。"
    ),
    "Only what looks and changes nothing.": "仅提供只读的功能。",
    "Connect to a server and count its tools.": "连接服务器并统计其工具。",
    "List the tools of a server; with --json also what they take.": (
        "列出服务器的工具;加 --json 还会显示其参数。"
    ),
    "Let a server of this project's `.mcp.json`, as it is now, be used.": (
        "允许使用本项目 `.mcp.json` 中的服务器(以其当前内容为准)。"
    ),
    "Do not use it, and do not ask again.": "不使用,且不再询问。",
    # Permissions
    "Look at the rules, change them, and ask why.": "查看、修改规则,并询问原因。",
    'Add a rule: ACTION for TOOL on RESOURCE, such as `deny shell "git push *"`.': (
        '添加规则:对 RESOURCE 上的 TOOL 采取 ACTION,例如 `deny shell "git push *"`。'
    ),
    "The folder's rules, not your own.": "文件夹的规则,而非你自己的。",
    "The folder whose rules count; by default the current one.": (
        "采用其规则的文件夹;默认为当前目录。"
    ),
    "Say why COMMAND would be allowed, asked about or denied. Nothing is run.": (
        "说明 COMMAND 为何会被允许、询问或拒绝。不会执行。"
    ),
    "Another tool: COMMAND is its path.": "其他工具:COMMAND 为其路径。",
    "Show the changes of commands that were held back here, take one over or drop it.": (
        "显示此处被扣留的命令修改,采用或丢弃其中之一。"
    ),
    "Put this change into its place.": "采用此修改。",
    "Forget this change.": "丢弃此修改。",
    "List every rule that counts here.": "列出此处有效的所有规则。",
    (
        "Show the package registries that commands in this folder may reach, or set them to HOSTs."
    ): "显示此文件夹中的命令可访问的软件包仓库,或将其设为 HOST。",
    "Let commands reach no host.": "不允许命令访问任何主机。",
    "Remove the rule with this NUMBER in `permissions list`.": (
        "删除 `permissions list` 中编号为 NUMBER 的规则。"
    ),
    "Let this folder's rules, as they are now, loosen and not only tighten.": (
        "允许此文件夹的规则(以其当前内容为准)放宽权限,而不仅是收紧。"
    ),
    "Trust the folder no longer.": "不再信任该文件夹。",
    # Sessions
    "List, show, find, fork, export and delete sessions.": (
        "列出、显示、查找、复制、导出和删除会话。"
    ),
    "Show what the agent changed in files.": "显示代理对文件的修改。",
    "Only what was changed since this message.": "仅显示自此消息以来的修改。",
    "The directory the agent worked in, if it is not the one on record.": (
        "代理的工作目录(若与记录不同)。"
    ),
    "Delete a session with its messages, events and checkpoints.": (
        "删除会话及其消息、事件和检查点。"
    ),
    "Do not ask.": "不询问。",
    "Print the events of a session.": "输出会话的事件。",
    "Only events after this one.": "仅输出此事件之后的事件。",
    "Write a session as Markdown, HTML or JSON, or as a bundle.": (
        "将会话写为 Markdown、HTML 或 JSON,或打包。"
    ),
    "By the file's name if unset, else md.": "未指定时按文件名决定,否则为 md。",
    "Write to a file instead of standard output.": "写入文件而非标准输出。",
    "Write a zip file to go on with elsewhere.": "写为 zip 文件,以便在别处继续。",
    "Put the files of the workspace into the bundle.": "将工作目录的文件放入包中。",
    "Begin another session with what SESSION has before MESSAGE.": (
        "以 SESSION 在 MESSAGE 之前的内容开始另一个会话。"
    ),
    (
        "MESSAGE is the number of a question or a message's id; after an answer's id the answer is "
        "kept. Without it, everything that is finished is taken. SESSION stays as it is."
    ): (
        "MESSAGE 是问题编号或消息 id;若为答案的 id,则保留该答案。"
        "不指定时采用所有已完成的内容。SESSION 保持不变。"
    ),
    "The id of the new session.": "新会话的 id。",
    "Make a session of a bundle; it gets ids of its own.": "由包创建会话;会获得新的 id。",
    "Put the bundle's files into this directory, which must be new or empty.": (
        "将包中的文件放入此目录,该目录必须是新的或空的。"
    ),
    "List your sessions, the last used first.": "列出你的会话,最近使用的在前。",
    "List the outputs that were too long to show, or page through one.": (
        "列出过长而未显示的输出,或分页查看其中之一。"
    ),
    "Lines to leave out first.": "先跳过的行数。",
    "Lines to show.": "显示的行数。",
    "Give a session a title.": "为会话设置标题。",
    "Take files back to before MESSAGE, or before the last one that changed any.": (
        "将文件恢复到 MESSAGE 之前,或最近一条修改过文件的消息之前。"
    ),
    (
        "MESSAGE is the number of a question or a message's id. Files that somebody else changed "
        "since are listed and left as they are."
    ): "MESSAGE 是问题编号或消息 id。此后被他人修改过的文件会列出并保持原样。",
    "Find the sessions that hold all WORDS, in titles and messages.": (
        "查找标题和消息中包含所有 WORDS 的会话。"
    ),
    "How many to show.": "显示的数量。",
    "Where an earlier page ended.": "上一页的结束位置。",
    "Say how good the last answer of a session was; patterns learn from it.": (
        "评价会话中最近的回答;模式会从中学习。"
    ),
    (
        "WORDS: good, bad or none, and behind it what should have been different. Your last word "
        "counts; none takes it back."
    ): ("WORDS:good、bad 或 none,其后可说明应有何不同。以最后一次评价为准;none 表示撤回。"),
    "Show the work plan of a session, or change a step that has not begun.": (
        "显示会话的工作计划,或修改尚未开始的步骤。"
    ),
    (
        "WORDS: edit N TEXT, skip N, move N before M, add before M TEXT, assign N AGENT. Without "
        "`before M` a step goes to the end."
    ): (
        "WORDS:edit N 文本、skip N、move N before M、add before M 文本、assign N 子智能体。"
        "不带 `before M` 时步骤放在最后。"
    ),
    "Change no other version of the plan.": "仅当计划仍为该版本时才修改。",
    "How the agent works on this message: step by step, or in stages with a review.": (
        "智能体处理此消息的方式:逐步进行,或分阶段进行并审查。"
    ),
    "Whether it makes a plan for this message; auto: for a complex one.": (
        "是否为此消息制定计划;auto 表示仅对复杂消息制定。"
    ),
    "Show the conversation of a session.": "显示会话的对话内容。",
    # The server's own command
    "Start the server: REST, WebSocket and server-sent events.": (
        "启动服务器:REST、WebSocket 和服务器推送事件。"
    ),
    "Address to listen at; 127.0.0.1 by default.": "监听地址;默认为 127.0.0.1。",
    "Port to listen at; 8000 by default, 0 takes a free one.": (
        "监听端口;默认为 8000,0 表示任选空闲端口。"
    ),
    "Processes that serve the address; 1 by default.": "提供服务的进程数;默认为 1。",
    "Bring the sample warehouse along, as source `shop`.": "附带示例数据仓库,数据源名为 `shop`。",
}

HELP_TEXTS: dict[str, tuple[str, str]] = {
    english: (english, chinese) for english, chinese in _CHINESE.items()
}
