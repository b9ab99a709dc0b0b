"""What is said of runs, their questions, answers and workspace: English, Chinese."""

ENGINE_TEXTS: dict[str, str] = {
    # How a run ends
    "nobody answered in time, which counts as a no. Ask again in a new message.": (
        "未在限定时间内得到答复,视为拒绝。请在新消息中再次提出。"
    ),
    "a person rejected a call, which ended the run.": "有人拒绝了一次调用,运行因此结束。",
    "the run took longer than it was given and was stopped.": "运行超过了规定的时间,已停止。",
    "the run took more steps than its recursion limit allows. Ask it to go on in a new message.": (
        "运行的步骤超过了递归上限。请在新消息中让它继续。"
    ),
    "The run stopped at {budget}. Its work is kept: once the budget is raised or begins anew, "
    "ask it to go on in a new message.": (
        "运行已停止,预算已用完:{budget:said}。已完成的工作会保留:预算提高或重新开始后,"
        "请在新消息中让它继续。"
    ),
    "the run used its {count} model calls. Ask it to go on in a new message, or raise "
    "DATAAGENT_RUN_MODEL_CALLS_MAX.": (
        "运行已用完 {count} 次模型调用。请在新消息中让它继续,或提高 DATAAGENT_RUN_MODEL_CALLS_MAX。"
    ),
    "The model {name} answered nothing.": "模型 {name} 没有给出任何回答。",
    "The endpoint of the model {name} failed again and again, for others too, and is left "
    "alone for {seconds} s.": (
        "模型 {name} 的端点一再失败(对其他人也是如此),将暂停使用 {seconds} 秒。"
    ),
    "the request does not fit the model's window: {why}": "请求超出模型的窗口:{why:said}",
    # Runs that are resumed
    "session {id} has an unfinished run: resume it first, or use another session.": (
        "会话 {id} 有未完成的运行:请先恢复该运行,或使用其他会话。"
    ),
    "session {id} has no run to resume.": "会话 {id} 没有可恢复的运行。",
    "the last run of session {id} is done; nothing to resume.": (
        "会话 {id} 的上一次运行已完成;没有可恢复的内容。"
    ),
    "the message of the last run is missing; it cannot be resumed.": (
        "上一次运行的消息缺失;无法恢复。"
    ),
    "this is no history of a conversation: {why}": "这不是对话的历史:{why}",
    "the history holds the message {id} twice.": "历史中有两条消息 {id}。",
    "the history holds two tool calls of one id.": "历史中有两次标识相同的工具调用。",
    "the history holds a result that no call asked for.": "历史中有一个没有对应调用的结果。",
    # Questions to a person
    "{count} answers in a row did not fit the question about {tool}.": (
        "关于 {tool} 的问题,连续 {count} 次答复都不符合要求。"
    ),
    "this {kind} can only be answered by a person.": "此 {kind} 只能由人答复。",
    "a budget can only be raised by a person who may.": "只有有权限的人才能提高预算。",
    "nobody answered this {kind} in time.": "未在限定时间内得到对此 {kind} 的答复。",
    # Answers with a schema
    "the answer did not fit its schema in {count} tries: {why}. Simplify the schema, or choose "
    "another model.": (
        "回答在 {count} 次尝试中都不符合其结构:{why:said}。请简化 schema,或选择其他模型。"
    ),
    "the schema {name} is larger than {limit} bytes. Leave out what the answer does not need.": (
        "schema {name} 超过 {limit} 字节。请去掉回答不需要的部分。"
    ),
    "the schema {name} is not JSON: {why}.": "schema {name} 不是 JSON:{why:said}。",
    "the answer's schema cannot be worked out: {why}": "无法处理回答的 schema:{why:said}",
    "the answer's schema is too costly: checking an answer took over {seconds} s. Simplify its "
    "patterns and alternatives.": (
        "回答的 schema 开销过大:检查一次回答超过 {seconds} 秒。请简化其中的模式和可选项。"
    ),
    "the answer's schema is {value}, not an object. Write it as in "
    '{{"type": "object", "properties": {{...}}}}.': (
        "回答的 schema 是 {value},不是对象。请写作例如 "
        '{{"type": "object", "properties": {{...}}}}。'
    ),
    "the answer's schema is nested deeper than {limit} levels. Put parts of it under $defs and "
    "refer to them.": (
        "回答的 schema 嵌套超过 {limit} 层。请将其中一些部分放在 $defs 下并引用它们。"
    ),
    "the answer's schema has {bytes} bytes, {limit} are possible. Leave out what the answer "
    "does not need.": "回答的 schema 有 {bytes} 字节,上限为 {limit}。请去掉回答不需要的部分。",
    "the answer's schema names a dialect nobody here knows: {dialect}. Leave $schema out for "
    "Draft 2020-12.": (
        "回答的 schema 指定了未知的方言:{dialect}。去掉 $schema 即使用 Draft 2020-12。"
    ),
    "the answer's schema is wrong at {place}: {why}": "回答的 schema 在 {place} 处有误:{why}",
    "the answer's schema refers to {name}, outside itself; nothing is fetched. Copy what it "
    "needs under $defs.": (
        "回答的 schema 引用了其外部的 {name};不会获取任何内容。请将所需部分复制到 $defs 下。"
    ),
    # The workspace and its sandbox
    "the workspace {path} is not a directory. Make it first, or name another one.": (
        "工作区 {path} 不是目录。请先创建它,或指明其他目录。"
    ),
    "The workspace cannot be {path!r}: DataAgent keeps its own settings, keys and history "
    "there. Start in the folder of a project.": (
        "工作区不能是 {path}:DataAgent 在那里保存自己的设置、密钥和历史。"
        "请在某个项目的文件夹中启动。"
    ),
    "There is no sandbox {name}. Set sandbox_type to {known}, or to {local} to work on this "
    "computer.": "没有沙箱 {name}。请将 sandbox_type 设为 {known},或设为 {local} 以在本机上工作。",
    "sandbox {name} and the host's own shell exclude each other. Ask for one.": (
        "沙箱 {name} 与主机自身的 shell 不能同时使用。请只选其一。"
    ),
    # MCP servers
    "{server} has no prompt {name}. {hint}It has: {names}.": (
        "{server} 没有提示 {name}。{hint:said}已有的提示:{names}。"
    ),
    "there is no MCP server {name} here.": "此处没有 MCP 服务器 {name}。",
    # What a program that calls an agent does wrong
    "this agent is asynchronous: use {name}.": "此代理是异步的:请用 {name}。",
    'give an agent one message with text: {{"messages": [{example}]}}. What was said before is '
    "kept under the same thread_id; with None a run that was interrupted goes on.": (
        '请给代理一条含有文本的消息:{{"messages": [{example}]}}。之前的对话保存在同一 thread_id 下;'
        "传入 None 可继续被中断的运行。"
    ),
    "a session is changed by its runs alone: send it a message.": (
        "会话只能由其运行来更改:请向它发送消息。"
    ),
    "{name}={value} cannot be used with an agent, whose runs stop for questions and are "
    "recorded. Leave it out.": (
        "{name}={value} 不能用于代理,因为其运行会停下来提问并被记录。请去掉。"
    ),
    "a run goes on from where its session is, not from a checkpoint.": (
        "运行从其会话所在之处继续,而不是从检查点继续。"
    ),
    "{name} is not an agent of AgentFactory.create_agent, which gives a graph its permissions, "
    "budgets and limits. Make the agent there.": (
        "{name} 不是由 AgentFactory.create_agent 创建的代理,而图的权限、预算和限制由它赋予。"
        "请在那里创建代理。"
    ),
    # What stands in them
    "{tool} is denied: {why}": "{tool} 被拒绝:{why:said}",
    "{name} is not a JSON number": "{name} 不是 JSON 数字",
    "the name {name} stands twice in one object": "名称 {name} 在一个对象中出现两次",
    "the answer is empty": "回答为空",
    "the answer is not a JSON document: {why}": "回答不是 JSON 文档:{why:said}",
    "the document is nested deeper than {limit} levels": "文档嵌套超过 {limit} 层",
    "the check ended": "检查意外结束",
    "it is nested too deeply": "它嵌套过深",
    "Only the first {shown} of {count} characters; read_file shows the rest.": (
        "仅前 {shown} 个字符(共 {count} 个);其余可用 read_file 查看。"
    ),
    "Its text only, without pictures and layout: {why} {missing}": (
        "仅其文本,不含图片和版式:{why:said} {missing:said}"
    ),
}
