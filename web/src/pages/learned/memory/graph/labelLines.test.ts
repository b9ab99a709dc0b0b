import { expect, test } from "vitest";
import { linesOf } from "@/pages/learned/memory/graph/labelLines";

const widthOf = (text: string) => text.length;

test.each([
  ["Harbour", 7, ["Harbour"]],
  ["Harbour Autumn 2", 8, ["Harbour", "Autumn 2"]],
  ["Harbour", 4, ["Har…"]],
  ["a b c d e f", 1, ["a", "b", "c…"]],
  ["上海自由贸易区", 4, ["上海自…"]],
  ["👩‍🚀", 1, ["👩…"]],
  ["", 9, []],
])("%j in lines of %i", (name, width, lines) => {
  expect(linesOf(name, widthOf, width, 3)).toEqual(lines);
});
