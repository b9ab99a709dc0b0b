"""Draws charts, typesets reports, cuts fonts: Vega's JavaScript and typst run here only.

What is drawn was checked before, but a spec can still ask for hours of work. So it happens where
it can be killed, with bounded memory. Files come in and go out through one folder a question
names; nothing is fetched. What is wrong with the work itself comes back as `problem`.
"""

import re
from pathlib import Path
from typing import Any

from .question_server import serve_questions

# The newest Vega-Lite this version of vl-convert carries.
_VEGA_LITE = "6.4"
_SVG_SIZE = re.compile(r'<svg[^>]*? width="([\d.]+)"[^>]*? height="([\d.]+)"')
_PROBLEM_CHARS_MAX = 500


class DrawingProgram:
    """The operations; fonts are read once a process."""

    def __init__(self) -> None:
        self._fonts: set[str] = set()
        self._typst_fonts: Any = None

    def draw(
        self, folder: str, formats: list[str], fonts: str, pixels_max: int, scale: float
    ) -> dict[str, Any]:
        """Draw `spec.json` of the folder as `chart.svg`, and as the other formats asked for."""
        import vl_convert

        if fonts not in self._fonts:
            vl_convert.register_font_directory(fonts)
            self._fonts.add(fonts)
        place = Path(folder)
        spec = (place / "spec.json").read_text(encoding="utf-8")
        try:
            svg = vl_convert.vegalite_to_svg(spec, vl_version=_VEGA_LITE, allowed_base_urls=[])
        except ValueError as error:
            return {"problem": _first_words(error)}
        size = _SVG_SIZE.search(svg)
        width, height = (float(side) for side in size.groups()) if size else (0.0, 0.0)
        if width * height * scale * scale > pixels_max:
            return {
                "problem": f"it would be {width:.0f} x {height:.0f} pixels large; use fewer "
                "categories or panels, or a smaller width, height or step"
            }
        (place / "chart.svg").write_text(svg, encoding="utf-8")
        if "png" in formats:
            (place / "chart.png").write_bytes(vl_convert.svg_to_png(svg, scale=scale))
        if "pdf" in formats:
            (place / "chart.pdf").write_bytes(vl_convert.svg_to_pdf(svg))
        return {"width": width, "height": height}

    def typeset(self, folder: str, fonts: str, made_at_s: int) -> dict[str, Any]:
        """Typeset `main.typ` of the folder, which reads its words from files beside it."""
        import typst

        if self._typst_fonts is None:
            self._typst_fonts = typst.Fonts(font_paths=[fonts])
        place = Path(folder)
        nowhere = place / "packages"
        try:
            typst.compile(
                place / "main.typ",
                output=place / "report.pdf",
                root=place,
                font_paths=self._typst_fonts,
                package_path=nowhere,
                package_cache_path=nowhere,
                timestamp=made_at_s,
            )
        except typst.TypstError as error:
            return {"problem": _first_words(error)}
        return {}

    def subset(self, folder: str, fonts: str) -> dict[str, Any]:
        """Cut the font down to the characters of `text.txt`, as `font.woff`."""
        from fontTools import subset

        place = Path(folder)
        [font_file] = Path(fonts).glob("*.ttf")
        options = subset.Options(flavor="woff", hinting=False, layout_features=["kern"])
        font = subset.load_font(font_file, options)
        cutter = subset.Subsetter(options)
        cutter.populate(text=(place / "text.txt").read_text(encoding="utf-8"))
        cutter.subset(font)
        subset.save_font(font, place / "font.woff", options)
        return {}


def _first_words(error: Exception) -> str:
    """Give what went wrong without the stack of somebody else's program."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = [line for line in lines if not line.startswith("at ")]
    return " ".join(said)[:_PROBLEM_CHARS_MAX] or type(error).__name__


if __name__ == "__main__":
    serve_questions(DrawingProgram())
