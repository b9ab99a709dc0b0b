"""Python, by the compiler of the interpreter that runs here."""

import warnings


def find_python_error(text: str) -> str | None:
    """Compile a text without running it: this finds more than its tree, such as a lost `return`."""
    try:
        with warnings.catch_warnings():
            # What the compiler only warns about is none of our business.
            warnings.simplefilter("ignore")
            compile(text, "<edit>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (MemoryError, RecursionError, ValueError):
        return None
    return None
