"""Why a call is allowed, asked about or denied: English, Chinese."""

PERMISSION_REASON_TEXTS: dict[str, str] = {
    "rule: {rule}": "规则:{rule}",
    "it may be what a rule is about: {rule}": "可能涉及规则:{rule}",
    "approved beforehand": "已事先批准",
    "the session is in auto mode": "会话处于自动模式",
    "the session is in plan mode": "会话处于规划模式",
    "a rule denies it": "有规则禁止",
    "nobody can be asked here, and no rule allows it": "此处无人可询问,也没有规则允许",
    "{tool} was called with the same arguments again and again.": "{tool} 以相同参数被反复调用。",
    "A program of an MCP server starts on this machine for the first time.": (
        "MCP 服务器的程序首次在本机启动。"
    ),
    "{tool} has changed since you answered; look at it again.": (
        "{tool} 在您答复后已更改;请重新查看。"
    ),
    # Defaults
    "default: it only starts another command": "默认:它只启动另一个命令",
    "default: commands ask": "默认:命令需要询问",
    "default: it is on the exact list": "默认:在无害命令清单上",
    "default: it changes nothing but the shell itself": "默认:它只改变命令行自身",
    "default: it only looks": "默认:它只查看",
    "default: it runs nothing": "默认:它不运行任何内容",
    "default: {tool} asks": "默认:{tool} 需要询问",
    "default: {tool} is allowed": "默认:{tool} 可直接执行",
    # Asked, whatever rules say
    "asked: {why}": "需询问:{why:said}",
    "asked: {tool} has changed since it was allowed; look at it again": (
        "需询问:{tool} 在获准后已更改;请重新查看"
    ),
    "asked: programs of this computer obey this file": "需询问:本机的程序会遵从此文件",
    "asked: it looks and acts in one line, and the look might do more": (
        "需询问:它在一行中既查看又执行,而查看可能不止于查看"
    ),
    "asked: no read-only sandbox stands behind this shell, so only plain lines are not": (
        "需询问:此命令行没有只读沙箱,因此只有简单的命令不询问"
    ),
    "asked: no read-only sandbox stands behind this shell": "需询问:此命令行没有只读沙箱",
    "asked: it is outside the workspace": "需询问:它在工作区之外",
    "asked: a device or the kernel is not a file": "需询问:设备或内核不是文件",
    # External content
    "{tool} {what}, and this conversation holds external content (from {sources}).": (
        "{tool} {what:said},而此对话含有外部内容(来自 {sources})。"
    ),
    "may change something outside the workspace": "可能更改工作区之外的内容",
    "hands its arguments to an MCP server": "会将参数交给 MCP 服务器",
    "may reach the network or files outside the workspace": "可能访问网络或工作区之外的文件",
    "goes to an address whose host cannot be told ({url})": "会访问无法确定主机的地址({url})",
    "goes to {host}, which you did not name": "会访问您未提及的 {host}",
    # What keeps a command line from being understood
    "{name!r} is not the name of a variable": "{name} 不是变量名",
    "it sets an element of an array": "它设置数组的元素",
    "it prints every variable": "它输出所有变量",
    "it declares variables with options": "它声明带选项的变量",
    "it sets {name}, which may change what the command does": (
        "它设置 {name},可能改变该命令的行为"
    ),
    "it sets {name}, which may change what the commands do": (
        "它设置 {name},可能改变这些命令的行为"
    ),
    "it hands {name} on, whatever it holds, which may change what the commands do": (
        "它传递 {name} 及其任何内容,可能改变这些命令的行为"
    ),
    "it sets a variable whose name is put together": "它设置名称由拼接而成的变量",
    "{text} calculates with what a variable holds": "{text} 用变量的内容进行计算",
    "[[ ]] calculates with what a variable holds": "[[ ]] 用变量的内容进行计算",
    "{text} holds quotes that may not quote": "{text} 含有可能不起引用作用的引号",
    "{text} runs what a variable holds": "{text} 会运行变量的内容",
    "a test of a variable by name may run what stands in its subscript": (
        "按名称测试变量可能会运行其下标中的内容"
    ),
    "what [ ] tests cannot be read for certain": "无法确定 [ ] 测试的内容",
    "its here-document cannot be read": "无法读取其内嵌文档",
    "its here-document runs commands": "其内嵌文档会运行命令",
    "it is too long or nested too deeply to be looked at": "它过长或嵌套过深,无法查看",
    "it is longer than {limit} characters": "它超过 {limit} 个字符",
    "it cannot be read as bash": "无法按 bash 读取",
    "it continues lines within a construct that reads them its own way": (
        "它在自有读法的结构中续行"
    ),
    "it holds the character U+{code}, which does not show itself": "它含有不可见的字符 U+{code}",
    "it holds backquotes with escapes, or within others": "它含有带转义或嵌套的反引号",
    "it holds a {kind}, which is not looked into": "它含有 {kind},其内容不予查看",
    "it holds {text}, which cannot be read": "它含有 {text},无法读取",
    "it holds a word with a gap in it": "它含有中间有空隙的词",
    "it holds a string that cannot be read": "它含有无法读取的字符串",
    "it holds {text}": "它含有 {text}",
    "its braces stand for too many words": "其花括号展开的词过多",
    "words follow a redirection": "重定向之后还有词",
    "a subscript in a list may run what stands in it": "列表中的下标可能会运行其中的内容",
    "it redirects in a way that cannot be read": "它的重定向方式无法读取",
    "it redirects to more than one place": "它重定向到多个位置",
    "it redirects with {sign!r}": "它用 {sign} 重定向",
    "set changes how the rest is read": "set 会改变其余部分的读法",
    "{name} may run what stands in a subscript": "{name} 可能会运行下标中的内容",
    "{name} is given a device or a file of the kernel": "{name} 的参数是设备或内核文件",
    "its -exec has no end": "其 -exec 没有结尾",
    "it starts a command for every file there is, the kernel's too": (
        "它为每个文件启动一个命令,包括内核文件"
    ),
    "which program runs cannot be known": "无法得知运行哪个程序",
    "what {name} runs cannot be known": "无法得知 {name} 运行什么",
    "what {name} leads to cannot be known": "无法得知 {name} 会导致什么",
    "the option {option} of {name} is not looked into": "{name} 的选项 {option} 不予查看",
    "its scripts are nested too deeply": "其脚本嵌套过深",
    "{name} may read its script otherwise than bash": "{name} 读取脚本的方式可能与 bash 不同",
    "{name} reads its script otherwise than bash": "{name} 读取脚本的方式与 bash 不同",
    "what {name} does with {option} is not looked into": "{name} 如何处理 {option} 不予查看",
    "what {name} reads and runs cannot be known": "无法得知 {name} 读取和运行什么",
    "{name} -c has no text": "{name} -c 没有内容",
}
