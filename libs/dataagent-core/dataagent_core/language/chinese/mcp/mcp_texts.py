"""What is said of MCP servers, their settings and their tools: English, Chinese."""

MCP_TEXTS: dict[str, str] = {
    # The files that name servers
    "{where} holds {count} servers; at most {limit} fit. Take some out.": (
        "{where} 中有 {count} 个服务器;最多 {limit} 个。请去掉一些。"
    ),
    "{where}: the server {name!r} {problem}": "{where}: 服务器 {name} {problem:said}",
    "{where}: {name} cannot be the name of a server: use 1 to {limit} letters, digits, '-', "
    "'_' or '.', starting with a letter or digit, without {divider}.": (
        "{where}: {name} 不能作为服务器的名称:请用 1 到 {limit} 个字母、数字、'-'、'_' 或 '.',"
        "以字母或数字开头,且不含 {divider}。"
    ),
    "{where} names the server {name} twice. Rename or remove one of them.": (
        "{where} 中服务器 {name} 出现两次。请改名或移除其中一个。"
    ),
    '{where} is not a JSON object: write {{"servers": []}} there.': (
        '{where} 不是 JSON 对象:请在其中写 {{"servers": []}}。'
    ),
    "{where} has both {one} and {other}. Put all servers under one of them.": (
        "{where} 同时有 {one} 和 {other}。请将所有服务器放在其中一个之下。"
    ),
    '{where} is not an object: write {{"command": ...}} or {{"url": ...}}.': (
        '{where} 不是对象:请写作 {{"command": ...}} 或 {{"url": ...}}。'
    ),
    "{where} holds {key} but neither {one} nor {other}. Put the servers under one of these; a "
    "file of another product is taken over with `dataagent mcp import FILE`.": (
        "{where} 含有 {key},但既没有 {one} 也没有 {other}。请将服务器放在其中一个之下;"
        "其他产品的文件可用 `dataagent mcp import FILE` 导入。"
    ),
    "{path} is not a file. Move it away.": "{path} 不是文件。请将其移走。",
    "{where} names {name} twice in one object. Rename or remove one of them.": (
        "{where} 的一个对象中 {name} 出现两次。请改名或移除其中一个。"
    ),
    "{where} is not valid JSON: {why}. Correct it, or move the file away.": (
        "{where} 不是有效的 JSON:{why:said}。请更正,或将文件移走。"
    ),
    "{where}: {key} must be an object of servers by name.": (
        "{where}: {key} 必须是以名称为键的服务器对象。"
    ),
    "{where}: server number {number} has no 'name': give it one.": (
        "{where}: 第 {number} 个服务器没有 'name':请为其命名。"
    ),
    "{path} cannot be written: {why}. Make its folder writable, or set DATAAGENT_HOME to one "
    "you own.": "无法写入 {path}:{why}。请使其文件夹可写,或将 DATAAGENT_HOME 设为您自己的目录。",
    "the MCP server {server} needs the variable {name} in {field}, and it is not set. Set it, "
    "or write ${{{again}:-default}}.": (
        "MCP 服务器 {server} 的 {field} 需要变量 {name},但它未设置。请设置它,或写作 "
        "${{{again}:-default}}。"
    ),
    # What is wrong with one of them
    "{server}has {value} as {key}; it must be {wanted}.": (
        "{server:said}的 {key} 是{value:said};必须是{wanted:said}。"
    ),
    "{server}says disabled and enabled are both {value}. Keep one.": (
        "{server:said}的 disabled 和 enabled 都是 {value}。请只保留一个。"
    ),
    "{server}has the type {type} and the transport {transport}. Keep one.": (
        "{server:said}的 type 是 {type},而 transport 是 {transport}。请只保留一个。"
    ),
    "{server}has the network {name}; known are 'none', 'hosts' and 'full'.": (
        "{server:said}的 network 是 {name};可用的有 'none'、'hosts' 和 'full'。"
    ),
    "{server}has the transport {name}; known are 'stdio', 'http', 'sse' and 'ws'.": (
        "{server:said}的 transport 是 {name};可用的有 'stdio'、'http'、'sse' 和 'ws'。"
    ),
    "{server}has the timeout {value}; it is in seconds, from {least} to {most}.": (
        "{server:said}的 timeout 是 {value};单位为秒,须在 {least} 到 {most} 之间。"
    ),
    "{server}has neither a 'command' nor a 'url': give the one it is started or reached by.": (
        "{server:said}既没有 'command' 也没有 'url':请给出用于启动或访问它的那一个。"
    ),
    "{server}has both a 'command' and a 'url': keep the one it is started or reached by.": (
        "{server:said}同时有 'command' 和 'url':请保留用于启动或访问它的那一个。"
    ),
    "{server}has a 'url' but the transport 'stdio': use 'http', 'sse' or 'ws'.": (
        "{server:said}有 'url',但 transport 是 'stdio':请用 'http'、'sse' 或 'ws'。"
    ),
    "{server}has a 'command' but the transport {name}: use 'stdio'.": (
        "{server:said}有 'command',但 transport 是 {name}:请用 'stdio'。"
    ),
    "{server}has a 'url' with spaces or control characters: take them out.": (
        "{server:said}的 'url' 含有空格或控制字符:请去掉。"
    ),
    "{server}has a 'url' that is no address: write {scheme}HOST/PATH.": (
        "{server:said}的 'url' 不是地址:请写作 {scheme}HOST/PATH。"
    ),
    "{server}has a 'url' that begins with {found}, but its transport {name} needs "
    "{scheme}HOST/PATH.": (
        "{server:said}的 'url' 以 {found} 开头,但其 transport {name} 需要 {scheme}HOST/PATH。"
    ),
    "{server}has {name} in 'env', which cannot name a variable: rename it.": (
        "{server:said}的 'env' 中有 {name},它不能作为变量名:请改名。"
    ),
    "{server}has {name} in 'headers', which cannot name a header: rename it.": (
        "{server:said}的 'headers' 中有 {name},它不能作为标头名称:请改名。"
    ),
    "{server}has a line break or control character in the header {name}: take it out.": (
        "{server:said}的标头 {name} 含有换行或控制字符:请去掉。"
    ),
    "{server}has the network 'hosts' but no 'hosts': list them, or use the network 'none'.": (
        "{server:said}的 network 是 'hosts',但没有 'hosts':请列出主机,或将 network 设为 'none'。"
    ),
    "{server}has 'hosts' but not the network 'hosts': set it, or take the hosts out.": (
        "{server:said}有 'hosts',但 network 不是 'hosts':请设置它,或去掉这些主机。"
    ),
    "{server}has {host} in 'hosts': write a name such as 'example.org' or '*.a.org'.": (
        "{server:said}的 'hosts' 中有 {host}:请写主机名,例如 'example.org' 或 '*.a.org'。"
    ),
    "{server}has the path {path}, which is not a whole one: begin it with '/'.": (
        "{server:said}的路径 {path} 不完整:请以 '/' 开头。"
    ),
    "{server}has a NUL character in {field}: take it out.": (
        "{server:said}的 {field} 中有 NUL 字符:请去掉。"
    ),
    "{server}has half a character (a lone surrogate) in {field}: take it out.": (
        "{server:said}的 {field} 中有半个字符(孤立的代理项):请去掉。"
    ),
    "{server}has a text of {count} characters in {field}; at most {limit} are taken.": (
        "{server:said}的 {field} 中有 {count} 个字符的文本;最多 {limit} 个。"
    ),
    "{server}has {count} texts in {field}; at most {limit} are taken.": (
        "{server:said}的 {field} 中有 {count} 个文本;最多 {limit} 个。"
    ),
    "a text; put it in quotes": "文本;请加引号",
    # Taking over servers of other products
    "{count} servers belong to other projects: run the import in their folders.": (
        "{count} 个服务器属于其他项目:请在那些项目的文件夹中运行导入。"
    ),
    "{name} is neither 'local' nor 'remote' and was left out.": (
        "{name} 既不是 'local' 也不是 'remote',未导入。"
    ),
    "{name} needs a value: set the variable {variable} before it is started.": (
        "{name} 需要一个值:请在启动它之前设置变量 {variable}。"
    ),
    "{name}: its {key!r} was not taken over.": "{name}: 其 {key} 未导入。",
    "There is no file {path}. Name the one to import from.": (
        "没有文件 {path}。请指明要导入的文件。"
    ),
    "{where} holds no MCP servers of a known form: 'mcpServers' (Claude and others), 'mcp' "
    "(opencode) or 'servers' (VS Code). Name another file.": (
        "{where} 中没有已知形式的 MCP 服务器:'mcpServers'(Claude 等)、'mcp'(opencode)或 "
        "'servers'(VS Code)。请指明其他文件。"
    ),
    "{name} reads a file by '{{file:...}}': write its value or a variable.": (
        "{name} 用 '{{file:...}}' 读取文件:请直接写出其值或写变量。"
    ),
    "{name}: its timeout was not taken over; ours is in seconds.": (
        "{name}: 其 timeout 未导入;此处以秒为单位。"
    ),
    "{where} holds more than {limit} servers; the rest is left out.": (
        "{where} 中的服务器超过 {limit} 个;其余未导入。"
    ),
    "left out: {name} would be a second server {other}.": (
        "未导入:{name} 会成为第二个名为 {other} 的服务器。"
    ),
    "{name} is called {other} here.": "{name} 在此处名为 {other}。",
    "left out: {why}": "未导入:{why:said}",
    # The tools, prompts and resources of a server
    "MCP server {name!r}: {problems}.": "MCP 服务器 {name}:{problems:said}。",
    "it lists {count} tools; the first {limit} count": (
        "它列出了 {count} 个工具;只采用前 {limit} 个"
    ),
    "a second tool {name} is left out": "第二个工具 {name} 未列入",
    "the tool {name} is left out: {why}": "工具 {name} 未列入:{why:said}",
    "{count} more tools have such problems": "另有 {count} 个工具有此类问题",
    "its schema is {value}, not an object": "其 schema 是 {value},不是对象",
    "its schema is for {kind}, and arguments are an object": "其 schema 用于 {kind},而参数是对象",
    "its schema has {count} properties, {limit} are possible": (
        "其 schema 有 {count} 个属性,上限为 {limit}"
    ),
    "its schema is nested deeper than {limit} levels": "其 schema 嵌套超过 {limit} 层",
    "its schema has {bytes} bytes, {limit} are possible": (
        "其 schema 有 {bytes} 字节,上限为 {limit}"
    ),
    "its schema's dialect is {value}, not an address": "其 schema 的方言是 {value},不是地址",
    "its properties are {value}, not an object": "其属性是 {value},不是对象",
    "its schema's references stand for more than {limit} values": (
        "其 schema 的引用展开后超过 {limit} 个值"
    ),
    "its schema's references cannot be followed: {why}": "无法解析其 schema 的引用:{why}",
    "not every provider takes an argument named {name}; letters, digits, '_', '.' and '-' are "
    "possible, at most {limit}": (
        "并非每个模型提供方都接受名为 {name} 的参数;可用字母、数字、'_'、'.' 和 '-',最多 {limit} 个"
    ),
    "its schema is wrong at {place}: {why}": "其 schema 在 {place} 处有误:{why}",
    "its schema refers to {name}, outside itself": "其 schema 引用了其外部的 {name}",
    "its schema refers to {name}, which is nowhere": "其 schema 引用了不存在的 {name}",
    "the prompt {name} needs {missing}: give {example}.": (
        "提示 {name} 需要 {missing}:请给出 {example}。"
    ),
    "the prompt {name} has no argument {argument}. It takes: {known}.": (
        "提示 {name} 没有参数 {argument}。可用的参数:{known}。"
    ),
    "{server}is not asked for {uri}: a URI has at most {limit} characters that can be seen.": (
        "{server:said}未被请求 {uri}:URI 最多有 {limit} 个可见字符。"
    ),
    "{server}gave nothing for the prompt {name}.": "{server:said}对提示 {name} 没有给出任何内容。",
    "tools of MCP servers are called with `ainvoke`.": "MCP 服务器的工具须用 `ainvoke` 调用。",
    # Questions that a server asks
    "{server} asked something else each time a person had answered.": (
        "每次有人答复后,{server} 都问了别的问题。"
    ),
    "{server} held this call open for the answer and has given it up since. Whether it did "
    "anything is not known: find out before you call it again.": (
        "{server} 曾为等待答复而保留此调用,之后又放弃了。无法得知它是否做了什么:请先查明,再次调用。"
    ),
    "the server asks for {count} fields, {limit} are possible.": (
        "服务器要求填写 {count} 个字段,上限为 {limit}。"
    ),
    "it must be one JSON object with the fields {names}.": (
        "它必须是一个含有字段 {names} 的 JSON 对象。"
    ),
    "it is not JSON: {why}.": "它不是 JSON:{why}。",
    "the server wants a person to open {url}; no web page.": "服务器要求打开 {url};它不是网页。",
    "the MCP server {server!r} asks the model to answer {count} characters of its own, in at "
    "most {limit} tokens": (
        "MCP 服务器 {server} 请模型回答它自己的 {count} 个字符,最多用 {limit} 个词元"
    ),
    "The MCP server {server} wants the model to answer this in the middle of {tool}, at this "
    "run's expense. The words are the server's own, and nobody has checked them; the answer "
    "goes to the server.": (
        "MCP 服务器 {server} 希望模型在 {tool} 执行过程中回答以下内容,费用计入此运行。"
        "内容由服务器提供,未经任何人检查;回答将发送给服务器。"
    ),
    "The model did not answer what {server} asked of it: {why}": (
        "模型没有回答 {server} 的请求:{why:said}"
    ),
    "the budget of the run is used up": "运行的预算已用完",
    "the run has used all its model calls": "运行已用完其模型调用次数",
    "the model could not answer": "模型未能回答",
    "no model can be asked here": "此处没有可用的模型",
    "The person did not let {server} use the model, and says: {message}": (
        "用户不允许 {server} 使用模型,并说明:{message}"
    ),
    "What a person made of the server's request cannot be sent: {why}.": (
        "用户修改后的服务器请求无法发送:{why:said}。"
    ),
    "the run is ending": "运行即将结束",
    "it was another request each time a person had answered": "每次有人答复后,请求都已不同",
    # DataAgent as a server
    "Nobody answered within {seconds} seconds, so nothing was done.": (
        "{seconds} 秒内无人答复,因此未执行任何操作。"
    ),
    "{tool} was not run: each answer was about other arguments.": (
        "{tool} 未运行:每次答复针对的都是其他参数。"
    ),
    "{tool} was not run: a person must allow it ({why}), and this client cannot ask one (MCP "
    "elicitation). {how}": (
        "{tool} 未运行:需要有人允许({why:said}),而此客户端无法询问(MCP elicitation)。{how:said}"
    ),
    "{tool} was not run: the person declined.": "{tool} 未运行:用户拒绝了。",
    "{path} is no file of {folders}. Read other files with read_file.": (
        "{path} 不是 {folders} 中的文件。其他文件请用 read_file 读取。"
    ),
    "{path} has {bytes} bytes, {limit} can be read at once. Read the rows of a result page by "
    "page: dataagent://results/{{result_id}}?offset=0": (
        "{path} 有 {bytes} 字节,一次最多可读取 {limit}。请逐页读取结果的行:dataagent:"
        "//results/{{result_id}}?offset=0"
    ),
    "it takes more than {bytes} bytes at any size.": "无论缩放到多大,它都超过 {bytes} 字节。",
    "there is no workspace to read it from.": "没有可从中读取它的工作区。",
    "it has just been changed. Read it again.": "它刚刚被更改。请重新读取。",
    "an answer has at most {limit} pictures.": "一次应答最多有 {limit} 张图片。",
    "{caller} may not read this: it needs the scope {scope}.": (
        "{caller} 不能读取此内容:需要权限范围 {scope}。"
    ),
    "Resource not found: {why}": "找不到资源:{why:said}",
    "There is no workspace to read files from.": "没有可从中读取文件的工作区。",
    "{limit} subscriptions are the most. Take one back.": "最多 {limit} 个订阅。请取消一个。",
    "{tool} took longer than {seconds} seconds and was given up. Ask for less at once.": (
        "{tool} 超过 {seconds} 秒,已放弃。请减少一次请求的内容。"
    ),
    "{caller} may not call {tool}: it needs the scope {scope}.": (
        "{caller} 不能调用 {tool}:需要权限范围 {scope}。"
    ),
}
