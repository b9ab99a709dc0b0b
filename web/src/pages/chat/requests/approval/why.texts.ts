import { defineTexts } from "@/i18n";

/** Why a person is asked, as sentences; the server has its reasons as notes in English. */
export const whyTexts = defineTexts(
  "chat.requests.why",
  {
    commands: "You are asked about commands unless a rule allows them.",
    tool: "You are asked about {tool} unless a rule allows it.",
    rule_operator: "The operator's rule “{rule}” wants you to be asked.",
    rule_person: "Your rule “{rule}” wants you to be asked.",
    rule_project: "The project's rule “{rule}” wants you to be asked.",
    rule_session: "The session's rule “{rule}” wants you to be asked.",
    rule_maybe: "The rule “{rule}” may be about this.",
    changed: "{tool} has changed since it was allowed. Look at it again.",
    changed_since: "{tool} has changed since you answered. Look at it again.",
    external_mcp:
      "{tool} hands its arguments to an MCP server, and this conversation holds content from outside ({from}).",
    external_network:
      "{tool} may reach the network or files outside the workspace, and this conversation holds content from outside ({from}).",
    external_change:
      "{tool} may change something outside the workspace, and this conversation holds content from outside ({from}).",
    external_host:
      "{tool} goes to {host}, which you did not name, and this conversation holds content from outside ({from}).",
    external_address:
      "{tool} goes to an address whose host cannot be told ({address}), and this conversation holds content from outside ({from}).",
    rows: "The engine expects this query to go through about {rows} rows.",
    cost: "The engine expects this query to cost {cost} of its units.",
    reads: "It reads {source}. {why}",
    doubt: "It cannot be told beforehand what this command does: {doubt}.",
    again: "{tool} was called with the same arguments again and again.",
    sampling:
      "It asks in the middle of {call}. The words are the server's own, and nobody has checked them. The model sees them alone; its answer goes to the server, and this run pays for it.",
    other: "Asked because: {reason}",
  },
  {
    commands: "除非有规则允许,运行命令前都会询问你。",
    tool: "除非有规则允许,使用 {tool} 前都会询问你。",
    rule_operator: "运维方的规则“{rule}”要求询问你。",
    rule_person: "你的规则“{rule}”要求询问你。",
    rule_project: "项目的规则“{rule}”要求询问你。",
    rule_session: "会话的规则“{rule}”要求询问你。",
    rule_maybe: "规则“{rule}”可能适用于此操作。",
    changed: "{tool} 在获准之后已有变化,请重新查看。",
    changed_since: "{tool} 在你回答之后已有变化,请重新查看。",
    external_mcp: "{tool} 会把参数交给 MCP 服务器,而此对话包含外部内容(来自 {from})。",
    external_network: "{tool} 可能访问网络或工作区以外的文件,而此对话包含外部内容(来自 {from})。",
    external_change: "{tool} 可能更改工作区以外的内容,而此对话包含外部内容(来自 {from})。",
    external_host: "{tool} 会访问你没有提到的 {host},而此对话包含外部内容(来自 {from})。",
    external_address: "{tool} 会访问无法确定主机的地址({address}),而此对话包含外部内容(来自 {from})。",
    rows: "引擎预计此查询要处理约 {rows} 行。",
    cost: "引擎预计此查询的成本为 {cost} 个单位。",
    reads: "它会读取 {source}。{why}",
    doubt: "无法预先判断此命令会做什么:{doubt}。",
    again: "{tool} 以相同的参数被反复调用。",
    sampling:
      "它在 {call} 执行过程中提出请求。以上是该服务器自己的文字,未经任何人核实。模型只会看到这些内容;其回答将发送给该服务器,费用计入本次运行。",
    other: "询问原因:{reason}",
  },
);
