import { expect, test } from "vitest";
import { fileChanges } from "@/pages/skills/results/fileChanges";

const file = (path: string, sha256: string, executable = false) => ({ path, sha256, executable });

test("what came, what went and what is another under the same name are told apart, by path", () => {
  const before = [file("scripts/run.py", "1"), file("references/pots.md", "2"), file("assets/tea.png", "3")];
  const after = [file("scripts/run.py", "9"), file("references/cups.md", "2"), file("assets/tea.png", "3")];
  expect(fileChanges(before, after)).toEqual([
    { path: "references/cups.md", kind: "added" },
    { path: "references/pots.md", kind: "removed" },
    { path: "scripts/run.py", kind: "changed" },
  ]);
});

test("a file that became a program is another", () => {
  expect(fileChanges([file("run.py", "1")], [file("run.py", "1", true)])).toEqual([{ path: "run.py", kind: "changed" }]);
});

test("the same files in another order are the same", () => {
  const files = [file("a.md", "1"), file("b.md", "2")];
  expect(fileChanges(files, files.toReversed())).toEqual([]);
  expect(fileChanges([], [])).toEqual([]);
});
