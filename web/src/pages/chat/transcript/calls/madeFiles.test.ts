import { expect, test } from "vitest";
import { madeBy } from "@/pages/chat/transcript/calls/madeFiles";
import type { CallItem } from "@/stream/conversation";

const made = (...paths: [string, string][]) =>
  madeBy({
    result: { artifacts: paths.map(([path, media_type]) => ({ id: `id of ${path}`, path, media_type, name: path.slice(1), bytes: 5 })) },
  } as unknown as CallItem);

test("a chart is drawn live instead of its picture; both can be had as files", () => {
  const { files, shown } = made(["/charts/a.png", "image/png"], ["/charts/a.vl.json", "application/json"]);
  expect(shown.map((file) => [file.kind, file.path])).toEqual([["chart", "/charts/a.vl.json"]]);
  expect(files.map((file) => file.path)).toEqual(["/charts/a.png"]);
});

test("pictures and pages are shown, other files only named", () => {
  const { files, shown } = made(["/a.png", "image/png"], ["/b.html", "text/html"], ["/c.csv", "text/csv"], [
    "/d.svg",
    "image/svg+xml",
  ]);
  expect(shown.map((file) => file.kind)).toEqual(["image", "report", "image"]);
  expect(files).toHaveLength(4);
});
