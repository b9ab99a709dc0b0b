"""What issue 5 promises of answers from data: its numbered items, and when it is done."""

from tests.requirements.entry import Requirement

_ITEMS = {
    1: "Files and databases are sources, opened in a process of their own; secrets are sealed.",
    2: "The catalogue is found by words in two languages, cached, and fits a model at 1,000 tables.",
    3: "SQL runs only as the guard wrote it; results are kept, paged, exported and queried again.",
    4: "Metrics compile to SQL that counts no row twice; verified questions are run again.",
    5: "Charts are drawn from results only, offline, with Chinese, and read in a terminal.",
    6: "Reports as Markdown, HTML and PDF, run again with fresh data.",
    7: "Every figure of an answer is traced by code to a result, or said to have no source.",
    8: "Personal columns are masked before a model reads them; hidden and missing sound alike to it.",
    9: "The same tools from the command line, without a model.",
    10: "The sample warehouse is the same everywhere; the demo asks it a real question.",
}

_DONE_WHEN = {
    "evasions": "At least 120 evasions on real engines change, write, read and lock nothing.",
    "honest": "At least 300 honest queries give the same rows as without the guard.",
    "receipts": "Precision and recall of each derivation are over 0.99 against hard negatives.",
    "dirty-files": "Dirty files give an answer or one clear sentence, never a stack trace.",
    "demo": "The scripted demo gives the same figures as SQL written by hand.",
}

F5: tuple[Requirement, ...] = (
    *(Requirement(f"F5-{number}", text) for number, text in _ITEMS.items()),
    *(Requirement(f"F5-{name}", text) for name, text in _DONE_WHEN.items()),
)
