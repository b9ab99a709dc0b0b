"""The page at `/`: in the reader's language, for who is signed in and who is not."""

import httpx

from dataagent_server.api.pages.home import home_page
from dataagent_server.api.pages.texts import TEXTS
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.identity.auth.principal import Principal


async def test_a_stranger_learns_how_to_sign_in(api: httpx.AsyncClient):
    page = await api.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "dataagent-server users sign-in-url" in page.text
    assert "http://127.0.0.1:8000/api/v1/chat" in page.text


async def test_the_page_speaks_chinese_to_who_reads_it(api: httpx.AsyncClient):
    page = await api.get("/", headers={"accept-language": "zh-CN,zh;q=0.9"})
    assert '<html lang="zh">' in page.text
    assert "正在运行" in page.text


def test_whoever_is_signed_in_is_named_and_cannot_write_html():
    principal = Principal(DEFAULT_TENANT, "<b>eve</b>", "admin", via="cookie")
    page = home_page(principal, "http://x/'><script>", "en")
    assert "&lt;b&gt;eve&lt;/b&gt;" in page
    assert "<script>" not in page


def test_an_accessible_page_has_a_language_a_title_and_one_heading():
    page = home_page(None, "http://x", "en")
    assert '<html lang="en">' in page
    assert "<title>DataAgent is running</title>" in page
    assert page.count("<h1>") == 1
    assert 'name="viewport"' in page


def test_every_sentence_is_there_in_both_languages():
    for key, (english, chinese) in TEXTS.items():
        assert english, key
        assert chinese, key
        assert english.count("{") == chinese.count("{"), key
