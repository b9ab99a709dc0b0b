/** The files a call made, and which of them are to be seen. Pure. */
import type { CallItem } from "@/stream/conversation";

export interface MadeFile {
  id: string;
  kind: "chart" | "image" | "report" | "file";
  path: string;
  name: string;
  mediaType: string;
  bytes: number;
}

/** A picture larger than this is not loaded unasked. */
const IMAGE_BYTES_MAX = 10_000_000;
// An SVG runs and fetches nothing where it is shown as a picture.
const IMAGES = /^image\/(png|jpeg|gif|webp|svg\+xml)$/;

export function madeBy(call: CallItem): { files: MadeFile[]; shown: MadeFile[] } {
  const files = (call.result?.artifacts ?? []).flatMap((raw): MadeFile[] => {
    const { id, path, name, media_type: mediaType, bytes } = raw;
    if (typeof id !== "string" || typeof path !== "string" || typeof name !== "string") return [];
    const type = typeof mediaType === "string" ? mediaType : "";
    const size = typeof bytes === "number" ? bytes : 0;
    return [{ id, kind: kindOf(path, type, size), path, name, mediaType: type, bytes: size }];
  });
  const charts = files.filter((file) => file.kind === "chart");
  const stems = charts.map((chart) => chart.path.replace(/\.vl\.json$/, ""));
  // The picture of a chart that is drawn live is not shown a second time.
  const drawn = (file: MadeFile) =>
    file.kind === "image" && stems.some((stem) => file.path.startsWith(`${stem}.`));
  const shown = files.filter((file) => file.kind !== "file" && !drawn(file));
  return { files: files.filter((file) => file.kind !== "chart"), shown };
}

function kindOf(path: string, mediaType: string, bytes: number): MadeFile["kind"] {
  if (path.endsWith(".vl.json")) return "chart";
  if (IMAGES.test(mediaType)) return bytes <= IMAGE_BYTES_MAX ? "image" : "file";
  return mediaType === "text/html" ? "report" : "file";
}
