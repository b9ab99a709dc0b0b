"""`@name` asks for a sub-agent or forbids it; what a negation may reach never asks for it."""
# ruff: noqa: RUF001 (messages as people write them)

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.subagents.mentions import read_mentions
from tests.counts import examples

NAMES: tuple[str, ...] = ("baker", "poet", "code-reviewer", "x1")
# Messages with whom they ask for | whom they forbid. `\n` is a new line.
ASKED_AND_FORBIDDEN = r"""
Do it yourself, don't use @baker or @poet | | baker poet
without @baker, @x1, and @poet | | baker x1 poet
don't use @baker/@poet | | baker poet
ask @baker/@poet | baker poet |
neither @baker nor @poet | | baker poet
don't use "@baker" or **@poet** | | baker poet
do not use the sub-agent @poet | | poet
Please do not delegate this to @poet | | poet
do not call, ask or use @poet | | poet
DON’T USE @poet | | poet
dont use @poet | | poet
let @baker do it instead of @poet | baker | poet
use @baker rather than @poet or @x1 | baker | poet x1
use @baker, not @poet | baker | poet
@baker and @poet but not @x1 | baker poet | x1
@baker (not @poet) and @x1 look at it | baker x1 | poet
don't use (@baker or @poet), use @x1 | x1 | baker poet
don't use @baker, use @poet | poet | baker
without @baker use @poet | poet | baker
no @baker, no @poet, just @x1 | x1 | baker poet
anyone but @poet | | poet
don't (ever) use @poet | | poet
請不要用 @poet，別讓 @x1 參與 | | poet x1
先让 @baker 查，不行再让 @poet 写 | baker poet |
don't use @baker — use @poet | poet | baker
do it without\n@poet | | poet
Do not use:\n- @baker\n- @poet | | baker poet
don't use @baker\nor @poet | | baker poet
don't use @baker\n@poet write it | poet | baker
don't use @baker. @poet write it | poet | baker
don't forget to ask @poet | poet |
why don't you ask @poet | poet |
Not sure what is wrong; @code-reviewer look at this | code-reviewer |
no problem, @poet write it | poet |
No, @poet should do it | poet |
I can't fix this, @poet please help | poet |
don't change @main.py, @poet fix the verse | poet |
Don't use any libraries, @poet write it plainly | poet |
skip the tests and ask @poet | poet |
@poet don't write more than five lines | poet |
@poet not only writes, @baker bakes | poet baker |
不要用 @baker、@poet 和 @x1 | | baker poet x1
不要用@baker或者@poet，让@x1做 | x1 | baker poet
不要 @poet | | poet
别 @poet | | poet
禁止：@poet、@baker | | poet baker
不要把这个任务交给 @poet | | poet
无需 @poet | | poet
不必让 @poet 参与 | | poet
请勿用 @poet | | poet
除了 @poet 都可以 | | poet
除 @poet 外都可以 | | poet
用 @baker，不用 @poet 以及 @x1 | baker | poet x1
不要用 @baker，改用 @poet | poet | baker
不是 @baker，是 @poet | poet | baker
不要着急，让 @poet 看看 | poet |
别忘了让 @poet 看看 | poet |
能不能让 @poet 看看 | poet |
要不让 @poet 看看 | poet |
特别请 @poet 看看 | poet |
@poet 不要写太长 | poet |
@baker 不要用，用 @poet | poet |
@baker 不要用 @poet | baker | poet
"""
LETTERS: tuple[str, ...] = ("r", "c", "o", "w", "m")
# Facts, questions and comparisons beside orders: only what is surely asked for is, and only what a
# negation is about is forbidden. Who is in no column is left to the model.
SURE_OR_NEITHER = """
Don't ask me again, ask @r | r |
don't bother me, ask @r | r |
No need to ask me, let @o restart it | o |
Can't @r do this? |  |
Couldn't @r do it? |  |
Shouldn't @r review it first? |  |
it fails, doesn't it @r? |  |
not just @r, also @w | r w |
Not @c please, @r |  | c
服务不可用，请@o处理 | o |
查不到就问@m | m |
为什么不让@r看看 |  |
难道不该让@r看看吗 |  |
没有@r的同意不要合并 |  |
除了@c，还要@w | w |
let @c write it, @r doesn't need to | c |
@r, not needed this time |  |
@c won't be necessary |  |
@c is unnecessary |  |
@c doesn't need to look |  |
@c does not have to run |  |
@c has no business here |  |
@c and @r have to stay out of this |  |
@c - please don't |  |
@c, no thanks |  |
@c? no thanks |  |
@c no longer |  |
cancel @c |  | c
disable @c |  | c
turn off @c |  | c
Replace @c with @r |  | c
switch from @c to @r |  | c
I prefer @r over @c |  |
@c就算了 |  |
@c先不要动 |  |
@c停一下 |  |
换掉@c，用@r | r | c
把@c换成@r | r |
Do not change anything and let @r review it |  |
Don't worry about style and let @r check |  |
If nothing is found ask @m |  |
If you can't find it ask @w |  |
do not use @c for this, @r is better |  | c
无需@c，@r 就够了 |  | c
跳过@r，直接@c | c | r
不管怎样让@r看一下 | r |
找不到的话让@w查 | w |
don't use tabs, @c |  |
Can @r not do this |  |
@c and @r won't be necessary |  |
@r, cancel the job | r |
Cancel the job and let @r check | r |
disable the cache, then ask @r | r |
Replace tabs with spaces, @r | r |
go over the list with @r | r |
@r: don't change the tests | r |
@r please don't break anything | r |
没有@r不要开始 |  |
换成@r | r |
不让@r看 |  | r
为什么不 @r |  |
turn off @c and use @r | r | c
switch from tabs to spaces, @r | r |
don't tell me, tell @r | r |
别问我，问@r | r |
别烦我，找@r | r |
Don't ask me or @r |  | r
don't give me @c |  | c
don't let me use @c |  | c
don't ask us about @c |  | c
If @c is not needed skip it |  |
if it fails don't use @c |  | c
unless asked do not use @c |  | c
Do not change anything and don't let @r review it |  | r
Do not use bash and let @c write |  |
do not let @c or @r write it and let @w do it |  | c r
don't let this happen again and let @c be out of it |  |
如果查不到就不要用@m |  | m
@c就不用了 |  |
@c就免了 |  |
@c算了 |  |
关掉@c |  | c
取消@c |  | c
用@r代替@c | r | c
@r代替@c来做 | r | c
用@r替换@c | r | c
@r instead of @c | r | c
over to @r | r |
hand over to @r | r |
I do not think we should use @c |  |
no need for @c |  | c
@c: stop |  |
@c, stop |  |
stop @c |  | c
@c should stay out of it |  |
@c stays out |  |
@r: no tests pass, fix it | r |
@r: not a single test passes, fix it | r |
@r: not needed now |  |
leave @c alone |  |
leave @c out of it |  |
keep @c out |  |
hold off on @c |  | c
drop @c |  | c
remove @c from this |  | c
ditch @c |  | c
@c would be overkill |  |
@c is overkill |  |
@c is a bad idea |  |
@c is not the right one |  |
we won't need @c |  | c
I prefer @r to @c |  |
rather @r than @c | r |
better @r than @c | r |
use @r, not @c | r | c
@r not @c | r | c
@r and not @c | r | c
@c不用管 |  |
先别管@c |  | c
@c就不必了 |  |
@c不参与 |  |
@c 不需要 |  |
@c没必要 |  |
让@c歇着 |  |
@c别动 |  |
把@c关了 |  |
把@c停掉 |  |
@c不行，换@r | r |
比起@c，更想用@r | r |
与其用@c不如用@r |  |
宁可用@r也不用@c | r | c
@c可以休息了 |  |
@c 可以不用 |  |
@c doesn't seem right, use @r | r |
@c hasn't to do it |  |
@c didn't help, ask @r | r |
@c was no help |  |
@c is of no use here |  |
@c and @r aren't needed |  |
@c should not run. Use @r | r |
@c needn't look |  |
@c need not look |  |
@c shall not |  |
@c, don't. |  |
@c — stay out of this |  |
@c, please stay out |  |
please turn @c off |  |
turn @c off |  |
switch @c off |  |
deactivate @c and @r |  | c r
swap @c for @r |  | c
swap out @c with @r |  | c
change from @c to @r |  | c
not @c but @r | r | c
@r 先看看，不要急 | r |
@r does this work? | r |
@r is this right? | r |
@r can you check, no rush | r |
@r do not change main.py | r |
@r please stop the server | r |
@r stop the server | r |
@r disable the cache | r |
@r cancel the order | r |
@r 取消订单 | r |
@r 不要改测试 | r |
@r 没有报错，看看 | r |
ask @r to not change the tests | r |
@r keep this short | r |
@r replace tabs with spaces | r |
用@r，不要改测试 | r |
use @r for this, no tests please | r |
let @r check whether it doesn't break | r |
do it without @r's approval |  |
I haven't asked @r yet |  |
don't just ask @r, also ask @w | w |
don't use @c please, @r |  | c
don't ask @c, @r |  | c r
Can't **@r** do this? |  |
can't you use @r? | r |
I cannot ask @r |  |
you cannot use @c |  | c
除了@c之外，也让@w看 | w |
without @c do it |  | c
别用 @c，也别用 @r |  | c r
must not use @c |  | c
@c isn't required |  |
@c is not what we want |  |
don't use @c or @r please |  | c r
there is no @c |  | c
I can't fix it, @r please help | r |
@r it doesn't work, fix it | r |
@r my test can't pass, fix it | r |
ask @r why it's not working | r |
ask @r what is wrong | r |
@r 看看为什么不行 | r |
stop and ask @r | r |
avoid and skip @c |  | c
stop using @c and @r |  | c r
skip @c and @r |  | c r
取消订单，让@r处理 | r |
don't just use @r, also use @w | w |
isn't it better to use @c? |  |
@c, not today |  |
@c: please do not |  |
I never used @c |  |
Why is @c not used? |  |
Nothing works, @r help | r |
没有测试通过，@r修一下 | r |
"""
# A negation stands near them, and what it means is not clear: neither asked for nor forbidden.
UNCLEAR = (
    "I have no idea what to write with @poet",
    "I do not know the right question for @poet",
    "never, ever, use @poet",
    "do not, under any circumstances, use @poet",
    "don't start without @poet",
    "don't use bash, python or @poet",
    "不知道该怎么写 @poet",
    "@poet should not be used",
    "@baker and @poet are not needed",
    "keep @poet out of this",
    "@poet 除外",
    "把 @baker 和 @poet 排除在外",
)


# Orders to whom they name: a verb with "out", "off" or 掉 has an object of its own.
ORDERS = """
find out why
figure out what fails
check out the branch and review it
turn it off
roll out the release
log off all users
try out the new api
work out the total
print out the report
sort out the imports
carry out the plan
rule out a race
point out the mistakes
filter out the duplicates
comment out the failing test
back out the last commit
time out slow requests after 5s
throw away the temp files
take away the admin role
put away the old logs
clean out the cache
switch off the feature flag
turn off the cache
shut the server off
sign off the release
hand off the ticket
kick off the build
write off the debt
look out for regressions
keep out the duplicates
keep off-topic posts out
get out the newest figures
back off the retries
stay on main and rebase
find out, then report
log out
sign out of all sessions
opt out of the tracking
this is overkill, simplify it
that was a bad commit, revert it
is the server out of memory?
are unused imports forbidden?
is this a bad idea?
give away nothing, just answer
out of these three, choose the best
should find out why
please find out why
: find out why
can you turn it off
alone should write it
see what is turned off
停掉服务器
排除干扰
删掉注释
关掉弹窗
去掉空行
改掉错别字
清除缓存
删除日志
移除依赖
解除锁定
排除故障
扫除告警
拆除旧接口
打开文件
解开压缩包
拆开函数
展开列表
避开高峰期
禁用缓存
停一下服务，然后重启
取消订单
关闭端口
停止服务
算一下总数
停用旧账号
歇业公告写一下
没必要的代码删掉
免密登录配一下
换成本币种算一遍
"""
# What they say about whom they name is that it is not wanted.
REFUSALS = """
out
, out!
away from this
stays out
should stay out of it
please stay out
really should stay out
has to stay out of this
is out
is left out
is overkill
would be overkill
is really unnecessary
was ruled out
can stay away
sits this one out
sit out
should sit this out
back off
go away
butt out of this
keep out
keep away from this
is a bad idea
probably is overkill
unnecessary here
excluded
off, please
seems unnecessary
排除在外
排除
停掉
停一下
歇着吧
休息
除外
禁用
关掉
没必要
停掉吧
歇着就好
"""
AROUND_REFUSALS = (
    "keep `@x1` out of this",
    "turn @x1 off for this",
    "turning @x1 off helps",
    "take @x1 off the task",
    "rule @x1 out",
    "leave @x1 alone and do it",
    "let @x1 sit this out",
)


@pytest.mark.parametrize(
    ("table", "names"), [(ASKED_AND_FORBIDDEN, NAMES), (SURE_OR_NEITHER, LETTERS)]
)
def test_messages_ask_for_and_forbid(table: str, names: tuple[str, ...]):
    wrong: list[str] = []
    for line in table.strip().splitlines():
        message, use, forbid = line.replace(r"\n", "\n").split("|")
        found = read_mentions(message.strip(), names)
        if found != (tuple(use.split()), tuple(forbid.split())):
            wrong.append(f"{line}: {found}")
    assert wrong == []


@pytest.mark.parametrize(
    ("message", "use", "forbid"),
    [
        ("@Poet write it", "poet", ""),
        ("don't ask @Code-Reviewer or @POET", "", "code-reviewer poet"),
        ("write to ann@poet, ann.lee@poet.org, @poet.org and @poet/x", "", ""),
        ("write to jürgen@poet or j-ü@baker", "", ""),
        ("请@poet写，发给 ann@baker", "poet", ""),
        ("`@poet` says so, ask @baker", "baker", ""),
        ("ask `@poet` or don't use `@baker`", "", ""),
        ("```\n@poet\nwithout @baker\n```\n@x1 explain this", "x1", ""),
        ("~~~py\n@poet\n~~~\nask @baker", "baker", ""),
        ("```\n@poet write it", "", ""),
        ("> @poet write it\n> don't use @baker\n\n@x1 answer this", "x1", ""),
        ("  > don't use @poet\nask @poet", "poet", ""),
        ("不要用\n> @poet\n让@baker做", "baker", ""),
    ],
)
def test_only_the_persons_own_words_mention(message: str, use: str, forbid: str):
    assert read_mentions(message, NAMES) == (tuple(use.split()), tuple(forbid.split()))


def test_an_order_with_a_phrasal_verb_asks_for_whom_it_names():
    orders = ORDERS.strip().splitlines()
    assert [one for one in orders if read_mentions(f"@x1 {one}", NAMES) != (("x1",), ())] == []


def test_a_refusal_behind_a_name_does_not_ask_for_it():
    messages = (*(f"@x1 {one}" for one in REFUSALS.strip().splitlines()), *AROUND_REFUSALS)
    assert [one for one in messages if read_mentions(one, NAMES) != ((), ())] == []


def test_what_is_unclear_is_neither():
    assert [text for text in UNCLEAR if read_mentions(text, NAMES) != ((), ())] == []


ENGLISH_NEGATIONS = st.sampled_from(
    [
        "without", "don't use", "do not use", "dont ask", "don\u2019t call", "do not let", "avoid",
        "do not involve", "don't delegate this to", "don't delegate to", "rather than", "never ask",
        "instead of", "do not use the sub-agents", "no", "not", "never", "skip", "exclude",
        "except", "refrain from using", "do not use any of", "must not ask", "please do NOT use",
        "I don't want", "don't bother", "do not use:", "under no circumstances use", "stop using",
    ]
)  # fmt: skip
CHINESE_NEGATIONS = st.sampled_from(
    [
        "不要用", "不要", "别", "别用", "别让", "禁止", "禁止使用", "不要交给", "不要把任务交给", "无需",
        "不必让", "勿用", "请勿", "不用", "不使用", "不需要", "避免", "除了", "不要找", "不要麻烦",
        "禁用", "切勿让", "不许用", "不能用", "没必要让", "不要再让", "不要使用子代理",
    ]
)  # fmt: skip
ENGLISH_CONNECTORS = st.sampled_from(
    [", ", " , ", ",", "/", " / ", " nor ", " or ", " and ", ", and ", ", or ", " & ", ",\n", " + "]
)
CHINESE_CONNECTORS = st.sampled_from(
    [
        "、",
        "\uff0c",
        "和",
        " 和 ",
        "或",
        " 或者",
        "与",
        " 与 ",
        "及",
        "以及",
        " 以及 ",
        "跟",
        " 也不要用 ",
    ]
)
LEADS = st.sampled_from(
    [
        "",
        "Do it yourself, ",
        "Please ",
        "Write it. ",
        "No problem; ",
        "请",
        "你自己做，",
        "写首诗。\n",
    ]
)
TRAILS = st.sampled_from(
    [
        "",
        ".",
        " for this",
        " please",
        ", do it yourself",
        " here!",
        "。",
        " 来做",
        "，自己写",
        "参与",
    ]
)


@st.composite
def name_lists(draw: st.DrawFn, connectors: st.SearchStrategy[str]) -> tuple[str, list[str]]:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1))
    joins = [draw(connectors) for _ in names[1:]]
    pairs = itertools.zip_longest((f"@{name}" for name in names), joins, fillvalue="")
    return "".join(itertools.chain.from_iterable(pairs)), names


@given(
    LEADS,
    st.one_of(
        st.tuples(ENGLISH_NEGATIONS, name_lists(ENGLISH_CONNECTORS)),
        st.tuples(CHINESE_NEGATIONS, name_lists(CHINESE_CONNECTORS)),
    ),
    st.sampled_from([" ", "  ", "\u00a0", "\n"]),
    TRAILS,
)
@settings(max_examples=examples(600))
def test_who_is_named_only_in_a_refused_list_is_not_asked_for(
    lead: str, refused: tuple[str, tuple[str, list[str]]], space: str, trail: str
):
    negation, (listed, names) = refused
    found = read_mentions(f"{lead}{negation}{space}{listed}{trail}", NAMES)
    assert found.use == ()
    assert found.forbid == tuple(names)


@given(
    LEADS,
    st.one_of(
        st.tuples(
            st.sampled_from(["", "ask ", "use ", "let ", "Don't forget to ask ", "have "]),
            name_lists(ENGLISH_CONNECTORS.filter(lambda one: "nor" not in one)),
        ),
        st.tuples(
            st.sampled_from(["让", "请", "用 ", "交给 ", "分别让", "别忘了让"]),
            name_lists(CHINESE_CONNECTORS.filter(lambda one: "不" not in one)),
        ),
    ),
    TRAILS,
)
@settings(max_examples=examples(300))
def test_who_is_in_a_list_that_is_asked_for_works(
    lead: str, asked: tuple[str, tuple[str, list[str]]], trail: str
):
    request, (listed, names) = asked
    assert read_mentions(f"{lead}{request}{listed}{trail}", NAMES) == (tuple(names), ())


@given(st.lists(st.sampled_from([
    "don't ", "use ", "@poet ", "@baker", ", ", "or ", "and ", "but ", "(", ")", ".", "\n", "- ",
    "不要", "用", "让", "、", "without ", "word ", "not ", "字", ":", "nor ", "@", "/",
]), max_size=40))  # fmt: skip
@settings(max_examples=examples(200))
def test_nobody_is_both_asked_for_and_forbidden(pieces: list[str]):
    found = read_mentions("".join(pieces), NAMES)
    assert not set(found.use) & set(found.forbid)
    assert {*found.use, *found.forbid} <= set(NAMES)


@pytest.mark.parametrize(
    "unit", ["@poet ", "@poet先", "can't ", "don't use @poet or ", "(", "不", "no\n", " ", "@a-"]
)
def test_a_long_message_is_read(unit: str):
    text = unit * (100_000 // len(unit))
    assert read_mentions(f"{text}; do it without @baker", NAMES).use == ()
