"""What is said of starting, reaching and asking an MCP server: English, Chinese."""

MCP_CONNECTION_TEXTS: dict[str, str] = {
    # Connecting and asking
    "{server}needs an answer of our model: {why}.": "{server:said}需要我们的模型回答:{why:said}。",
    "{server}asked for our folders, which are not offered.": (
        "{server:said}请求我们的文件夹,但不提供。"
    ),
    "{server}answered {what} with something that is no valid result: {why}": (
        "{server:said}对{what:said}的应答不是有效的结果:{why}"
    ),
    "{server}did not answer {what} within {seconds} s{unsure}.{nonsense}": (
        "{server:said}在 {seconds} 秒内没有应答{what:said}{unsure:said}。{nonsense:said}"
    ),
    " It also sent something that is no MCP message: {text}": (
        "它还发送了不是 MCP 消息的内容:{text}"
    ),
    "{server}was lost during {what}. The next call connects again. Reason: {why}": (
        "{server:said}在{what:said}期间断开。下次调用会重新连接。原因:{why:said}"
    ),
    "{server}forgot our session, so the call was not done. Call it again.": (
        "{server:said}丢失了我们的会话,因此未执行调用。请再次调用。"
    ),
    "{server}refused {what}: {why} ({code})": "{server:said}拒绝了{what:said}:{why:said}({code})",
    "{server}is not connected any more: DataAgent is stopping.": (
        "{server:said}已断开连接:DataAgent 正在停止。"
    ),
    "{server}did not connect within {seconds} s. Is it the right command or address? A slow "
    "one needs a larger `timeout`.": (
        "{server:said}在 {seconds} 秒内未能连接。命令或地址是否正确?较慢的服务器需要更大的 "
        "`timeout`。"
    ),
    "{server}has {count} calls under way, which is as many as one connection may have "
    "(calls_per_connection). Wait until one of them ends.": (
        "{server:said}有 {count} 次调用正在进行,已达单个连接的上限(calls_per_connection)。"
        "请等待其中一次结束。"
    ),
    "{server}was disconnected: {why}.": "{server:said}已断开连接:{why:said}。",
    "{server}does not answer any more.": "{server:said}不再应答。",
    "{server}closed the connection.": "{server:said}关闭了连接。",
    "{server}closed the connection. It is connected again with the next call.": (
        "{server:said}关闭了连接。下次调用会重新连接。"
    ),
    "{kind}s it describes wrongly are left out: {names}.": (
        "描述有误的 {kind} 未列入:{names:said}。"
    ),
    "{server}did not list its tools within {seconds} s.": (
        "{server:said}在 {seconds} 秒内没有列出其工具。"
    ),
    "Its tools changed, but it does not list them: {why}": "其工具有变动,但它没有列出:{why:said}",
    "{server}asks a question before it gives {what}; only its tools may do that.": (
        "{server:said}在给出{what:said}之前提问;只有其工具可以提问。"
    ),
    "{server}has no resources.": "{server:said}没有资源。",
    "{server}has no prompts.": "{server:said}没有提示。",
    "{server}is still connecting after {seconds} s; its tools come as soon as it is there.": (
        "{server:said}在 {seconds} 秒后仍在连接;连接后即可使用其工具。"
    ),
    "{server}is down: {why}": "{server:said}不可用:{why:said}",
    "{server}lists its tools, but: {why}": "{server:said}列出了其工具,但是:{why:said}",
    "{server}is left out: at most {limit} are used at once. Disable one of the others.": (
        "{server:said}未使用:最多同时使用 {limit} 个。请停用其他的某一个。"
    ),
    "{server}could not be asked: {why}": "{server:said}无法查询:{why:said}",
    "{server}asked for more input {count} times during one call of {tool}.": (
        "{server:said}在一次 {tool} 调用期间 {count} 次要求更多输入。"
    ),
    "{server}does nothing before this page was visited: {url}": (
        "{server:said}在访问此页面之前不会执行任何操作:{url}"
    ),
    "{server}said nothing for {seconds} s in a call of {tool}, so the call was given up.": (
        "{server:said}在 {tool} 调用中 {seconds} 秒没有任何消息,因此已放弃该调用。"
    ),
    "{server}was not connected: {why}": "{server:said}未连接:{why:said}",
    "{count} connections of yours are busy, which is as many as one person may have "
    "(connections_per_user). Wait until one of their calls ends.": (
        "您有 {count} 个连接正忙,已达每人的上限(connections_per_user)。请等待其中某次调用结束。"
    ),
    "{count} connections are busy, which is as many as this machine may have (connections). "
    "Wait until one of their calls ends.": (
        "有 {count} 个连接正忙,已达本机的上限(connections)。请等待其中某次调用结束。"
    ),
    "{server}was not called: the arguments of {tool} are no JSON ({why}).": (
        "{server:said}未被调用:{tool} 的参数不是 JSON({why})。"
    ),
    "{server}was not called: the arguments of {tool} take {bytes} bytes; at most {limit} can "
    "be sent.": "{server:said}未被调用:{tool} 的参数有 {bytes} 字节;最多可发送 {limit}。",
    "{server}has no tool {tool} (any more). It has: {names}.": (
        "{server:said}没有(或已不再有)工具 {tool}。已有的工具:{names}。"
    ),
    "{server}changed its tool {tool} since it was listed, so it was not called. Look at what "
    "it says now, and call it again.": (
        "{server:said}的工具 {tool} 在列出之后有变动,因此未调用。请查看其现在的说明,然后再次调用。"
    ),
    "the call that this was asked in is over": "提出此请求的调用已结束",
    # A server that asks the model
    "tools in sampling are not offered by this client": "此客户端的 sampling 不提供工具",
    "maxTokens must be at least 1": "maxTokens 必须至少为 1",
    "sampling takes 1 to {limit} messages": "sampling 接受 1 到 {limit} 条消息",
    "sampling takes at most {count} stop sequences of 1 to {limit} characters": (
        "sampling 最多接受 {count} 个停止序列,每个 1 到 {limit} 个字符"
    ),
    "sampling takes at most {limit} characters, these are {count}": (
        "sampling 最多接受 {limit} 个字符,现有 {count} 个"
    ),
    "a message in sampling takes at most {limit} blocks": "sampling 的一条消息最多有 {limit} 个块",
    "only text can be sampled here: no pictures, sounds or tool results": (
        "此处的 sampling 只接受文本:不接受图片、声音或工具结果"
    ),
    # Reaching it
    "{server}cannot be reached: the name in its URL is not known. Check the URL.": (
        "{server:said}无法连接:其 URL 中的主机名未知。请检查 URL。"
    ),
    "{server}cannot be reached safely: {why}. This machine must trust its certificate.": (
        "{server:said}无法安全连接:{why}。本机必须信任其证书。"
    ),
    "{server}cannot be reached: nothing listens at its address. Start it, or check its URL.": (
        "{server:said}无法连接:其地址上没有服务在监听。请启动它,或检查其 URL。"
    ),
    "{server}cannot be reached: {url} is no address for it. Write one that begins with "
    "{scheme}.": "{server:said}无法连接:{url} 不是可用的地址。请写以 {scheme} 开头的地址。",
    "{server}cannot be reached: {why}. Check its URL and the network.": (
        "{server:said}无法连接:{why:said}。请检查其 URL 和网络。"
    ),
    "{server}sent an event we do not take: {why}": "{server:said}发送了无法处理的事件:{why}",
    "{server}does not speak the right protocol ({why}). Check its URL.": (
        "{server:said}使用的协议不正确({why})。请检查其 URL。"
    ),
    "{server}answered with something that is not MCP: {why}": "{server:said}的应答不是 MCP:{why}",
    "{server}has nothing at its address {status}. Check its URL.": (
        "{server:said}的地址上没有内容 {status}。请检查其 URL。"
    ),
    "{server}does not take messages this way {status}. Check its URL, or try the transport "
    "'sse' if it is an older server.": (
        "{server:said}不以这种方式接收消息 {status}。请检查其 URL;如果是较旧的服务器,请尝试 "
        "transport 'sse'。"
    ),
    "{server}is asked too often {status}. Try again later.": (
        "{server:said}收到的请求过于频繁 {status}。请稍后再试。"
    ),
    "{server}sends us to another address {status}. Use that one if it is right.": (
        "{server:said}指向另一个地址 {status}。如果该地址正确,请改用它。"
    ),
    "{server}is out of order {status}. Try again later.": (
        "{server:said}出现故障 {status}。请稍后再试。"
    ),
    "{server}refused the request {status}.": "{server:said}拒绝了请求 {status}。",
    "{server}answered with an error: {why}": "{server:said}的应答是错误:{why}",
    "{server}did not answer in time. Try again, or give it more time with `timeout`.": (
        "{server:said}没有及时应答。请重试,或用 `timeout` 给它更多时间。"
    ),
    "{server}cannot be used: {why}": "{server:said}无法使用:{why:said}",
    "{server}sent a message of more than {size} MiB. Ask it for less.": (
        "{server:said}发送的消息超过 {size} MiB。请减少请求的内容。"
    ),
    "{server}wants its messages at {url}, which is another server.": (
        "{server:said}要求将消息发送到 {url},而那是另一个服务器。"
    ),
    "{server}answers as a web socket, but does not speak MCP there. Check its address.": (
        "{server:said}以 WebSocket 应答,但不使用 MCP。请检查其地址。"
    ),
    "the answer is packed ({encoding}) against our wish": "应答被压缩({encoding}),与要求不符",
    "the answer is larger than {size} MiB; ask for less": "应答超过 {size} MiB;请减少请求的内容",
    "this is no MCP message: {why}": "这不是 MCP 消息:{why}",
    # Starting its program
    "{server}cannot be started: {why}. Install its program or correct the command.": (
        "{server:said}无法启动:{why}。请安装其程序,或更正命令。"
    ),
    "{server}cannot be started: {why}. Make its program executable.": (
        "{server:said}无法启动:{why}。请使其程序可执行。"
    ),
    "{server}cannot be started: its command {command} is a relative path. Write the absolute "
    "path of the program, or its name alone.": (
        "{server:said}无法启动:其命令 {command} 是相对路径。请写程序的绝对路径,或只写程序名。"
    ),
    "{server}cannot be started: there is no program {command} here. Install it so that it is "
    "on the PATH{hint}, or write its absolute path.": (
        "{server:said}无法启动:此处没有程序 {command}。请安装它并使其位于 PATH 中{hint:said},"
        "或写其绝对路径。"
    ),
    "{server}cannot be started: {program} does not run here ({why}).": (
        "{server:said}无法启动:{program} 无法在此运行({why})。"
    ),
    "{server}may not be started here: {command} is not a program of this machine's PATH. The "
    "person who runs DataAgent can allow it by its path.": (
        "{server:said}不允许在此启动:{command} 不是本机 PATH 中的程序。运行 DataAgent "
        "的人可按其路径允许它。"
    ),
    "{server}may not be started here: {command} is not among the allowed commands ({known}). "
    "The person who runs DataAgent can allow it.": (
        "{server:said}不允许在此启动:{command} 不在允许的命令之列({known})。运行 DataAgent "
        "的人可允许它。"
    ),
    "{server}may not be started here with the variable {name}, which could make an allowed "
    "program run something else. Remove it from `env`.": (
        "{server:said}不允许在此以变量 {name} 启动:它可能使允许的程序运行别的内容。请从 `env` "
        "中移除。"
    ),
    "The allowed command {command} names a package, which only `npx` and `uvx` take. Write the "
    "program alone.": (
        "允许的命令 {command} 指明了软件包,而只有 `npx` 和 `uvx` 接受软件包。请只写程序。"
    ),
    "{server}sent more than {count} lines that are no MCP messages, the last one: {text}. A "
    "server over stdio must log to stderr only.": (
        "{server:said}发送了超过 {count} 行不是 MCP 消息的内容,最后一行是:{text}。通过 stdio "
        "运行的服务器只能将日志写到 stderr。"
    ),
    "{server}is not started: its home is full, with {size} MiB in {count} files. The person "
    "who runs DataAgent can empty the folder {folder} among the homes of MCP servers.": (
        "{server:said}未启动:其主目录已满({count} 个文件,共 {size} MiB)。运行 DataAgent 的人可在 "
        "MCP 服务器的主目录中清空文件夹 {folder}。"
    ),
    "{server}is removed, but not what it kept: {why}. Delete the folder {folder}.": (
        "{server:said}已移除,但其保存的内容未移除:{why}。请删除文件夹 {folder}。"
    ),
    "{server}is a program, and programs are not started here. Use a server with a URL, or ask "
    "the person who runs DataAgent to allow programs.": (
        "{server:said}是程序,而此处不启动程序。请使用带 URL 的服务器,或请运行 DataAgent "
        "的人允许程序。"
    ),
    "{server}may not have the path {path}: {why}. Declare another one.": (
        "{server:said}不能使用路径 {path}:{why:said}。请声明其他路径。"
    ),
    "{server}cannot have the path {path}: {why}. Declare folders and files that exist.": (
        "{server:said}无法使用路径 {path}:{why:said}。请声明存在的文件夹和文件。"
    ),
    "it was replaced while it was opened": "它在打开时被替换",
    "it is neither a folder nor a file": "它既不是文件夹也不是文件",
    "it is not absolute": "它不是绝对路径",
    "here only paths in {folders} are allowed": "此处只允许 {folders} 中的路径",
    "{path} is, holds or lies in {other}, which no server is shown": (
        "{path} 是、包含或位于 {other},而它不对任何服务器开放"
    ),
    "{server}is not started outside a sandbox, and there is none: {why}": (
        "{server:said}不会在沙箱之外启动,而此处没有沙箱:{why:said}"
    ),
    "{server}may not have the network {wanted}: here at most {most} is allowed. The person who "
    "runs DataAgent can allow more.": (
        "{server:said}不能使用网络 {wanted}:此处最多允许 {most}。运行 DataAgent 的人可放宽。"
    ),
    "{what}; whether it was done is unknown": "{what:said}(是否已执行未知)",
}
