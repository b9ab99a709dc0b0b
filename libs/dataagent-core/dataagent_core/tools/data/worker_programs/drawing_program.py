"""Draws charts, typesets reports, subsets fonts: Vega's JavaScript and typst run only here.

A chart was checked before, but a spec can still need hours of work. So it is drawn in a process
that can be killed, with bounded memory. Files are exchanged through the folder a request names;
nothing is fetched. An error in the spec or text is returned as `problem`.
"""

import re
from pathlib import Path
from typing import Any

from .question_server import serve_questions

# The newest Vega-Lite of this version of vl-convert.
_VEGA_LITE = "6.4"
_SVG_SIZE = re.compile(r'<svg[^>]*? width="([\d.]+)"[^>]*? height="([\d.]+)"')
_PROBLEM_CHARS_MAX = 500


class DrawingProgram:
    """The operations; fonts are read once per process."""

    def __init__(self) -> None:
        self._fonts: set[str] = set()
        self._typst_fonts: Any = None

    def draw(
        self, folder: str, formats: list[str], fonts: str, pixels_max: int, scale: float
    ) -> dict[str, Any]:
        """Draw `spec.json` of the folder as `chart.svg`, and in the other requested formats."""
        import vl_convert

        if fonts not in self._fonts:
            vl_convert.register_font_directory(fonts)
            self._fonts.add(fonts)
        work_folder = Path(folder)
        spec = (work_folder / "spec.json").read_text(encoding="utf-8")
        try:
            svg = vl_convert.vegalite_to_svg(spec, vl_version=_VEGA_LITE, allowed_base_urls=[])
        except ValueError as error:
            return {"problem": _get_message(error)}
        size = _SVG_SIZE.search(svg)
        width, height = (float(side) for side in size.groups()) if size else (0.0, 0.0)
        if width * height * scale * scale > pixels_max:
            return {
                "problem": f"it would be {width:.0f} x {height:.0f} pixels large; use fewer "
                "categories or panels, or a smaller width, height or step"
            }
        (work_folder / "chart.svg").write_text(svg, encoding="utf-8")
        if "png" in formats:
            (work_folder / "chart.png").write_bytes(vl_convert.svg_to_png(svg, scale=scale))
        if "pdf" in formats:
            (work_folder / "chart.pdf").write_bytes(vl_convert.svg_to_pdf(svg))
        return {"width": width, "height": height}

    def typeset(self, folder: str, fonts: str, made_at_s: int) -> dict[str, Any]:
        """Typeset `main.typ` of the folder, which reads its data from files beside it."""
        import typst

        if self._typst_fonts is None:
            self._typst_fonts = typst.Fonts(font_paths=[fonts])
        work_folder = Path(folder)
        empty_folder = work_folder / "packages"
        try:
            typst.compile(
                work_folder / "main.typ",
                output=work_folder / "report.pdf",
                root=work_folder,
                font_paths=self._typst_fonts,
                package_path=empty_folder,
                package_cache_path=empty_folder,
                timestamp=made_at_s,
            )
        except typst.TypstError as error:
            return {"problem": _get_message(error)}
        return {}

    def subset(self, folder: str, fonts: str) -> dict[str, Any]:
        """Subset the font to the characters of `text.txt`, as `font.woff`."""
        from fontTools import subset

        work_folder = Path(folder)
        [font_file] = Path(fonts).glob("*.ttf")
        options = subset.Options(flavor="woff", hinting=False, layout_features=["kern"])
        font = subset.load_font(font_file, options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=(work_folder / "text.txt").read_text(encoding="utf-8"))
        subsetter.subset(font)
        subset.save_font(font, work_folder / "font.woff", options)
        return {}


def _get_message(error: Exception) -> str:
    """Return the message of an error without its JavaScript stack."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    message_lines = [line for line in lines if not line.startswith("at ")]
    return " ".join(message_lines)[:_PROBLEM_CHARS_MAX] or type(error).__name__


if __name__ == "__main__":
    serve_questions(DrawingProgram())
