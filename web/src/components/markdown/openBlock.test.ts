import { expect, test } from "vitest";
import { openBlock } from "@/components/markdown/openBlock";

const sentence = "The **revenue** went up by 12.5 % in `March`, and *then* down again. ";

test("a short block is drawn as it comes", () => {
  expect(openBlock(sentence)).toEqual({ drawn: sentence, tail: "" });
});

test("a long paragraph is drawn again when it has grown by a quarter; the rest is its tail", () => {
  const text = sentence.repeat(1500);
  const drawn = new Set<string>();
  let before = "";
  for (let end = 2_001; end <= text.length; end += 96) {
    const now = openBlock(text.slice(0, end));
    expect(now.drawn + now.tail).toBe(text.slice(0, end));
    expect(now.drawn.startsWith(before)).toBe(true);
    expect(now.tail.length).toBeLessThan(end / 2);
    drawn.add((before = now.drawn));
  }
  const parsed = [...drawn].reduce((sum, each) => sum + each.length, 0);
  expect(parsed).toBeLessThan(6 * text.length);
});

test("it is cut after a line, else after a word, never inside a character", () => {
  const lines = openBlock(`${"word ".repeat(20)}\n`.repeat(40));
  expect(lines.drawn.endsWith("\n")).toBe(true);
  expect(openBlock(sentence.repeat(50)).drawn.endsWith(" ")).toBe(true);
  const { drawn, tail } = openBlock(`x${"😀".repeat(3000)}`);
  // Half a character cannot be encoded.
  expect(decodeURIComponent(encodeURIComponent(drawn) + encodeURIComponent(tail))).toBe(drawn + tail);
  expect(tail).not.toBe("");
});

test("code is not cut: neither one that is open, nor one that begins in the tail", () => {
  for (const text of [
    `- a\n\n  \`\`\`sql\n${"SELECT 1;\n".repeat(400)}`,
    `${"- an item of a list\n".repeat(115)}  \`\`\`sql\n  SELECT 1;`,
  ]) {
    expect(openBlock(text)).toEqual({ drawn: text, tail: "" });
  }
});

test("the rows of a table come a few at a time, what follows them is shown", () => {
  const table = `| a | b |\n|---|---|\n${"| one | two |\n".repeat(170)}`;
  expect(openBlock(table)).toMatchObject({ tail: "" });
  expect(openBlock(table).drawn.length).toBeLessThan(table.length);
  expect(openBlock(`${table}| half a r`).tail).toBe("");
  expect(openBlock(`${table}after`).tail).toBe("after");
});
