"""What the web tools say of requests, hosts and pages: English, Chinese."""

WEB_TEXTS: dict[str, str] = {
    # The request
    "The URL has {count} characters, more than the {limit} allowed.": (
        "URL 有 {count} 个字符,超过允许的 {limit} 个。"
    ),
    "{url} does not begin with http:// or https://; only these are fetched.": (
        "{url} 不以 http:// 或 https:// 开头;只能获取这两种地址。"
    ),
    "{url} names no host, or a port that cannot be.": "{url} 没有主机名,或端口无效。",
    "The URL of {host} carries a user name or password. Leave it out; http_request can send an "
    "Authorization header.": (
        "{host} 的 URL 含有用户名或密码。请去掉;http_request 可以发送 Authorization 标头。"
    ),
    "{url} is not a URL: {why}.": "{url} 不是 URL:{why}。",
    "{count} headers are more than the {limit} allowed.": (
        "标头有 {count} 个,超过允许的 {limit} 个。"
    ),
    "{name} is not the name of a header.": "{name} 不是有效的标头名称。",
    "The header {name} holds a line break or another character that no header may hold. Use "
    "printable ASCII on one line.": (
        "标头 {name} 含有换行或标头中不允许的其他字符。请使用单行的可打印 ASCII 字符。"
    ),
    "The header {name} has {count} characters; {limit} fit.": (
        "标头 {name} 有 {count} 个字符;上限为 {limit}。"
    ),
    "The header {name} is set by the client itself. Leave it out.": (
        "标头 {name} 由客户端自行设置。请去掉。"
    ),
    "{method} is not a method to use: take {methods}.": "不能使用方法 {method}:请用 {methods}。",
    "{method} carries no body. Use POST, or put it into the URL.": (
        "{method} 请求没有正文。请用 POST,或将内容放入 URL。"
    ),
    "The body has {bytes} bytes; {limit} can be sent.": "正文有 {bytes} 字节;最多可发送 {limit}。",
    "timeout_s is {value}; give more than 0 and at most {limit}.": (
        "timeout_s 是 {value};请给出大于 0 且不超过 {limit} 的值。"
    ),
    # Hosts that may be reached
    "web_allow_hosts holds {entry}, which is no host: write NAME, NAME:PORT or an address, as "
    "in 'intranet.example:8080'.": (
        "web_allow_hosts 中的 {entry} 不是主机:请写作 NAME、NAME:PORT 或地址,例如 "
        "'intranet.example:8080'。"
    ),
    "Port {port} of {host} is not reached: only 80 and 443 are. {how}": (
        "不允许访问 {host} 的端口 {port}:只允许 80 和 443。{how:said}"
    ),
    "{host} is not reached: it leads to {addresses}. Only addresses of the public internet "
    "are. {how}": "不允许访问 {host}:它指向 {addresses}。只允许访问公共互联网的地址。{how:said}",
    "The operator can add {host} to web_allow_hosts in config.toml.": (
        "管理员可将 {host} 加入 config.toml 的 web_allow_hosts。"
    ),
    # The answer
    "The answer is packed as {encoding}, which was not asked for and is not read ({known} are).": (
        "应答以 {encoding} 压缩,这并非所请求的方式,无法读取(可读取的有 {known})。"
    ),
    "The answer says it is {encoding} but cannot be unpacked: {why}.": (
        "应答自称为 {encoding},但无法解压:{why}。"
    ),
    "{url} redirects more than {count} times, last to {target}. It may be a loop; use another "
    "address.": "{url} 重定向超过 {count} 次,最后指向 {target}。可能是循环;请换用其他地址。",
    "{url} redirects this {method} to another host, {target}. It was not sent there; call that "
    "URL if that is wanted.": (
        "{url} 将此 {method} 请求重定向到另一主机 {target}。请求未发送到那里;如有需要,请直接调用该 "
        "URL。"
    ),
    "{url} redirects to {target}, which is not a URL.": "{url} 重定向到 {target},但它不是 URL。",
    "{method} {url} took longer than {seconds} s. Give a larger timeout_s (at most {limit}), "
    "or another address.": (
        "{method} {url} 超过 {seconds} 秒。请增大 timeout_s(最多 {limit}),或换用其他地址。"
    ),
    "{method} {url} failed ({kind}): {why}. Check the address, or try again later.": (
        "{method} {url} 失败({kind}):{why:said}。请检查地址,或稍后再试。"
    ),
    "{host} has no address": "{host} 没有地址",
    "the name {host} cannot be resolved ({why})": "无法解析主机名 {host}({why})",
    # Pages and searches
    "The selector has {count} characters; give 1 to {limit}, as in 'table.prices td'.": (
        "选择器有 {count} 个字符;请给出 1 到 {limit} 个,例如 'table.prices td'。"
    ),
    "{selector} is not a CSS selector ({why}). Write one such as 'h2 a[href]'.": (
        "{selector} 不是 CSS 选择器({why})。请写作例如 'h2 a[href]'。"
    ),
    "The page cannot be read within {seconds} s and {bytes} bytes of memory: it is too large, "
    "too deeply nested or made to be so. http_request shows it as it is.": (
        "无法在 {seconds} 秒和 {bytes} 字节内存内读取该网页:它过大、嵌套过深,或有意如此。"
        "http_request 可显示其原文。"
    ),
    "{url} is {type}, and only HTML has elements. Use fetch_url.": (
        "{url} 是 {type},而只有 HTML 有元素。请用 fetch_url。"
    ),
    "{host} answered {status} to the search. {how}": "{host} 对搜索的应答为 {status}。{how:said}",
    "{host} did not answer the search with a list of results. {how}": (
        "{host} 没有以结果列表应答搜索。{how:said}"
    ),
    "SearXNG must list `json` under `search: formats:` in its settings.yml.": (
        "SearXNG 必须在其 settings.yml 的 `search: formats:` 下列出 `json`。"
    ),
    "Check TAVILY_API_KEY and what is left of its quota.": "请检查 TAVILY_API_KEY 及其剩余配额。",
}
