"""Browser tests of the console: Chromium, the real server in its own process, a scripted model.

`console_server.py` is the server that can be killed and started again at its port, `visitor.py` a
user's browser, `page_errors.py` collects errors of pages, `chat.py` reads the chat page. Every test
keeps its screenshots below `.run/console`, or in DATAAGENT_SCREENSHOTS.
"""
