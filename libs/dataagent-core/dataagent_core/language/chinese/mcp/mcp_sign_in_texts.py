"""What is said of signing in at an MCP server: English, Chinese."""

MCP_SIGN_IN_TEXTS: dict[str, str] = {
    "{server}needs you to sign in{scopes} before its tools can be used.": (
        "{server:said}需要您先登录{scopes:said},才能使用其工具。"
    ),
    "{server}needs the person to sign in before this tool can be used, so it was not "
    "called.{said} They sign in with `dataagent mcp login {name}`, or on a server with POST "
    "/api/v1/mcp/servers/{again}/login. Go on without it, and call it again only when they say "
    "that they have.": (
        "{server:said}需要用户先登录才能使用此工具,因此未调用。{said:said}用户可用 `dataagent mcp "
        "login {name}` 登录,在服务器上则用 POST /api/v1/mcp/servers/{again}/login。"
        "请先不使用它继续,待用户说明已登录后再调用。"
    ),
    "Sign in at the MCP server {server}. Without it {tool} cannot be called.\n{url}": (
        "请在 MCP 服务器 {server:said} 登录。否则无法调用 {tool}。\n{url}"
    ),
    "{server} wants you to sign in": "{server} 需要您登录",
    "{again}The server refused the call until you sign in with your own account there; what "
    "you are given is used for you alone. The run goes on when you have.": (
        "{again:said}您用自己的账户在该服务器登录之前,它拒绝此调用;所得的凭据仅供您本人使用。"
        "登录后运行会继续。"
    ),
    "It was called again and refused again: you are not signed in there, or without the rights "
    "it wants. {why}": "再次调用后又被拒绝:您尚未在该处登录,或没有它要求的权限。{why:said}",
    # Where to sign in
    "{server}names {url} as its {what}, which is no https address a sign-in may use. Ask "
    "whoever runs the server, or set the right one under `oauth` in its configuration.": (
        "{server:said}将 {url} 作为其 {what},但它不是可用于登录的 https 地址。请询问服务器的管理者,"
        "或在其配置的 `oauth` 下设置正确的地址。"
    ),
    "{server}uses the authorization server {issuer}, whose metadata says it is {other}: one of "
    "the two pretends to be the other.": (
        "{server:said}使用授权服务器 {issuer},但其元数据自称为 {other}:两者之一在冒充另一个。"
    ),
    "{server}names {issuer} as its authorization server, which publishes no metadata we can "
    "read. Set authorization_endpoint and token_endpoint under `oauth`.": (
        "{server:said}将 {issuer} 作为其授权服务器,但后者没有发布可读取的元数据。请在 `oauth` "
        "下设置 authorization_endpoint 和 token_endpoint。"
    ),
    "{server}does not ask for a sign-in (it answered {status}) and does not say where to sign "
    "in. If it needs one, set authorization_endpoint, token_endpoint and client_id under "
    "`oauth` in its configuration.": (
        "{server:said}没有要求登录(其应答为 {status}),也没有说明在哪里登录。如果需要登录,"
        "请在其配置的 `oauth` 下设置 authorization_endpoint、token_endpoint 和 client_id。"
    ),
    "{server}uses the authorization server {issuer}, which does not support PKCE with S256: a "
    "sign-in there could be stolen on its way back.": (
        "{server:said}使用授权服务器 {issuer},而它不支持 S256 方式的 PKCE:在那里登录,"
        "凭据可能在返回途中被窃取。"
    ),
    "{server}says that it is {resource}, but was reached at {url}: tokens for the one are not "
    "to be sent to the other. Set the url it names, or ask whoever runs it.": (
        "{server:said}自称为 {resource},但访问的地址是 {url}:发给前者的令牌不能发送给后者。"
        "请设置它所指的 url,或询问其管理者。"
    ),
    "{server}at {url} over {transport} is none to sign in at: that needs an https address (or "
    "http on this machine) with the transport http or sse.": (
        "{server:said}({url},{transport})无法用于登录:登录需要 https 地址(本机可用 http),且 "
        "transport 为 http 或 sse。"
    ),
    "{url} cannot be where browsers come back to: that needs https, or http on this machine. "
    "Set DATAAGENT_PUBLIC_URL to the https address people use.": (
        "{url} 不能作为浏览器返回的地址:需要 https,本机可用 http。请将 DATAAGENT_PUBLIC_URL "
        "设为用户使用的 https 地址。"
    ),
    "The public URL {url} is not https, so servers cannot read who we are there. Set "
    "DATAAGENT_PUBLIC_URL to the https address people use.": (
        "公开地址 {url} 不是 https,服务器无法在那里读取我们的身份。请将 DATAAGENT_PUBLIC_URL "
        "设为用户使用的 https 地址。"
    ),
    "A sign-in needs the port {port} of this machine, which another program uses: perhaps "
    "another sign-in. Finish or end that, then try again.": (
        "登录需要本机的端口 {port},而另一个程序正在使用它:可能是另一次登录。请完成或结束它,"
        "然后重试。"
    ),
    # Being known as a client there
    "{server}uses the authorization server {issuer}, which takes clients only by {methods}: we "
    "know none, client_secret_basic and client_secret_post.": (
        "{server:said}使用授权服务器 {issuer},而它只接受以 {methods:said} 认证的客户端:我们支持 "
        "none、client_secret_basic 和 client_secret_post。"
    ),
    "a secret it will give us": "它将给出的密钥",
    "{server}uses the authorization server {issuer}, which registers no clients by itself. "
    "Register one there with the redirect URI {uri} and set client_id (and client_secret) "
    "under `oauth` in the server's configuration.": (
        "{server:said}使用授权服务器 {issuer},而它不会自动注册客户端。请在那里以重定向 URI {uri} "
        "注册一个客户端,并在该服务器配置的 `oauth` 下设置 client_id(和 client_secret)。"
    ),
    "{server}could not be signed in at: {issuer} registered us to prove ourselves by {method}, "
    "which we cannot.": "{server:said}无法登录:{issuer} 注册时要求以 {method} 认证,而我们不支持。",
    "{server}could not be signed in at: {url} did not register us: {why}": (
        "{server:said}无法登录:{url} 未能注册我们:{why}"
    ),
    "{server}could not be signed in at: {url} answered with something that is no bearer token.": (
        "{server:said}无法登录:{url} 的应答不是 bearer 令牌。"
    ),
    # What happens on the way
    "This sign-in is not yours, was finished already, or took too long. Start it again.": (
        "此次登录不是您的、已经完成,或耗时过长。请重新开始。"
    ),
    "{server}did not sign you in: {why}. Try again.": (
        "{server:said}未能让您登录:{why:said}。请重试。"
    ),
    "it gave no code": "它没有给出授权码",
    "{server}was not signed in at: the answer should come from {issuer}, but {why}. Start "
    "again, and only in the page you were sent to.": (
        "{server:said}未能登录:应答应来自 {issuer},但{why:said}。请重新开始,"
        "且只在所打开的页面中操作。"
    ),
    "{server}was not signed in at: nobody came back from the page in {seconds} seconds. Try "
    "again.": "{server:said}未能登录:{seconds} 秒内没有从登录页面返回。请重试。",
    "does not say who it is, although it promised to": "它没有说明自己是谁,尽管曾承诺说明",
    "says it is {issuer}": "它自称为 {issuer}",
    "{server}cannot be signed in at: {url} answered {status}. Try again later.": (
        "{server:said}无法登录:{url} 的应答为 {status}。请稍后再试。"
    ),
    "{server}cannot be signed in at: {url} packed its answer, although it was asked not to.": (
        "{server:said}无法登录:{url} 压缩了应答,尽管要求其不要压缩。"
    ),
    "{server}cannot be signed in at: {url} did not answer in {seconds} seconds. Try again "
    "later.": "{server:said}无法登录:{url} 在 {seconds} 秒内没有应答。请稍后再试。",
    "{server}cannot be signed in at: {url} cannot be reached ({why}). Try again later.": (
        "{server:said}无法登录:无法连接 {url}({why})。请稍后再试。"
    ),
    "{server}cannot be signed in at: the answer of {url} is larger than {limit} bytes.": (
        "{server:said}无法登录:{url} 的应答超过 {limit} 字节。"
    ),
    "{server}cannot be signed in at: {why}": "{server:said}无法登录:{why:said}",
    # What is kept of sign-ins
    "{server}cannot be used just now: your sign-in could not be renewed ({why}). Try again "
    "later.": "{server:said}暂时无法使用:无法续期您的登录({why})。请稍后再试。",
    "What was stored of a sign-in was written by another version. Sign in again.": (
        "所存的登录信息由另一版本写成。请重新登录。"
    ),
    "Another process holds {path} and does not let go of it. End it, then try again.": (
        "另一个进程一直占用着 {path}。请结束该进程,然后重试。"
    ),
    "The lock {path} cannot be made: {why}. Make its folder writable.": (
        "无法创建锁文件 {path}:{why}。请使其文件夹可写。"
    ),
    "{path} does not hold sign-ins any more. Restore it from a copy, or remove it and sign in "
    "again.": "{path} 的内容已不是登录信息。请从副本恢复,或移除它并重新登录。",
    "{path} cannot be read: {why}. Make it your own again.": (
        "无法读取 {path}:{why}。请使其重新归您所有。"
    ),
    "{path} cannot be written: {why}. Make room, or make its folder writable.": (
        "无法写入 {path}:{why}。请腾出空间,或使其文件夹可写。"
    ),
    # What is shown while somebody signs in
    "Sign in to {name!r} here:\n{url}": "请在此登录 {name}:\n{url}",
    "If the browser is on another machine, its last page will not open: paste that page's "
    "address here.": "如果浏览器在另一台机器上,最后的页面将打不开:请在此粘贴该页面的地址。",
    "That is not the last page of this sign-in. Its address begins with {url}?": (
        "这不是本次登录的最后页面。其地址以 {url}? 开头"
    ),
}
