import { expect, test } from "vitest";
import { diffLines } from "@/components/diff/diffLines";

test("no line of a hunk is taken for a header, also after a text without a last line end", () => {
  const diff = [
    "--- a/x",
    "+++ b/x",
    "@@ -1,1 +1,2 @@",
    "-old",
    "\\ No newline at end of file",
    "+one",
    "+++ two",
  ].join("\n");
  expect(diffLines(diff).map((line) => line.kind)).toEqual(["hunk", "removed", "same", "added", "added"]);
});
