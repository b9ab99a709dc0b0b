"""Checks a drawn SVG before it is embedded in pages.

This is a second defence: a checked spec gives only shapes and text. Anything that could run or
fetch something is refused, not repaired.
"""

from xml.etree import ElementTree as ET

from dataagent_core.config.limits.data import CHART_SVG_BYTES_MAX
from dataagent_core.errors import ToolExecutionError

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_ELEMENTS = frozenset(
    {"svg", "g", "path", "rect", "line", "circle", "text", "tspan", "title", "desc", "defs"}
    | {"clipPath", "linearGradient", "radialGradient", "stop"}
)


def check_svg(data: bytes) -> bytes:
    """Return an SVG that is safe inside a page, or refuse it."""
    if len(data) > CHART_SVG_BYTES_MAX:
        raise ToolExecutionError(
            f"The chart's SVG has {len(data):,} bytes, more than {CHART_SVG_BYTES_MAX:,}. Draw "
            "fewer marks: aggregate in the query, or leave categories out."
        )
    if b"<!" in data:
        raise ToolExecutionError("The chart's SVG declares a document type; it is not shown.")
    for element in ET.fromstring(data).iter():  # noqa: S314 - our own renderer's, without a DTD
        name = str(element.tag).removeprefix(_NAMESPACE)
        if name not in _ELEMENTS:
            raise ToolExecutionError(f"The chart's SVG holds <{name}>; it is not shown.")
        for attribute, value in element.attrib.items():
            if _reaches_out(attribute.lower(), value.lower()):
                raise ToolExecutionError(
                    f"The chart's SVG holds {attribute}={value!r:.60}; it is not shown."
                )
    return data


def _reaches_out(attribute: str, value: str) -> bool:
    if attribute.startswith("aria-"):  # read aloud: whatever the data says
        return False
    if attribute.startswith("on") or attribute.rpartition("}")[2] == "href":
        return True
    # Gradients and clips point to parts of the same picture.
    links = value.count("url(")
    return links != value.count('url("#') + value.count("url(#") or "javascript:" in value
