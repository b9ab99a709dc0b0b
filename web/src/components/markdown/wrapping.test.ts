import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** `anywhere` lets a word be broken to make room for others: only for what is no words. */
const NO_WORDS = [
  ".arguments dd",
  ".chat-anywhere",
  ".code-block.one-line pre",
  ".files-branch-name",
  ".profile-facts dd",
  ".rows .cell.whole",
  ".sql-names button",
];
const FILE_NAMES = ["FileTable.tsx", "UploadList.tsx"];

const read = (end: string): [string, string][] =>
  readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(end) && !file.includes(".test."))
    .map((file) => [file, readFileSync(join("src", file), "utf8")]);

test("only ids, paths, code and cells may be broken anywhere", () => {
  const found = read(".css").flatMap(([, css]) =>
    [...css.matchAll(/([^{}]+)\{[^{}]*(?:overflow-wrap: anywhere|word-break: break-all)/g)].map(([, selector]) =>
      (selector ?? "").replace(/\/\*.*?\*\//gs, "").trim(),
    ),
  );
  expect(found.toSorted()).toEqual(NO_WORDS);
});

test("no part of a page but code and names of files is broken anywhere by a style of its own", () => {
  const found = read(".tsx")
    .filter(([file]) => !FILE_NAMES.some((name) => file.endsWith(name)))
    .flatMap(([file, text]) => text.split("\n").map((line) => `${file}: ${line.trim()}`))
    .filter((line) => /overflowWrap: "anywhere"|wordBreak: "break-all"/.test(line) && !line.includes("<code"));
  expect(found).toEqual([]);
});
