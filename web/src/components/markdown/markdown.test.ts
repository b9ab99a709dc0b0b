import { expect, test } from "vitest";
import { markdownBlocks } from "@/components/markdown/markdownBlocks";
import { MARKED, withMarks, withoutMarks } from "@/components/markdown/markdownMarks";

const paragraph = "word ".repeat(130).trim();

test("blocks together are the text, and are cut only between paragraphs", () => {
  const text = `${paragraph}\n\n${paragraph}\n\n- one\n\n- two\n\n  more\n\n\`\`\`\na\n\n${paragraph}\n\nb\n\`\`\`\n\n${paragraph}`;
  const blocks = markdownBlocks(text);
  expect(blocks.map((block) => block.text).join("")).toBe(text);
  expect(blocks.length).toBeGreaterThan(2);
  for (const { text: each } of blocks) expect((each.match(/```/g) ?? []).length % 2).toBe(0);
  expect(blocks.some(({ text: each }) => each.startsWith("- "))).toBe(false);
});

test("a growing text leaves the blocks before its last as they are", () => {
  const text = `${paragraph}\n\n`.repeat(5);
  let before = markdownBlocks("");
  for (let end = 0; end <= text.length; end += 37) {
    const now = markdownBlocks(text.slice(0, end));
    for (const [at, block] of before.slice(0, -1).entries()) expect(now[at]).toEqual(block);
    before = now;
  }
});

test("a fence ends what stands before it, blank line or not", () => {
  const code = "```sql\nSELECT 1\n```\n";
  const blocks = markdownBlocks(`${paragraph}\n${code}${code}`);
  expect(blocks.map((block) => block.text)).toEqual([`${paragraph}\n`, `${code}${code}`]);
});

test("a text that defines links is one block", () => {
  expect(markdownBlocks(`${paragraph} [a]\n\n${paragraph}\n\n[a]: https://example.com`)).toHaveLength(1);
});

test("marks stand around their parts and can be taken away again", () => {
  const text = "Sum 12 of 340, **56** in all";
  const marked = withMarks(text, [
    { start: 4, end: 6 },
    { start: 17, end: 19 },
    { start: 5, end: 8 },
  ]);
  expect(withoutMarks(marked)).toBe(text);
  expect(MARKED.exec(marked.slice(4))?.slice(1)).toEqual(["0", "12"]);
  expect(marked.match(/\uE010/g)).toHaveLength(2);
});

test("a text cannot bring marks of its own", () => {
  expect(withoutMarks(withMarks("a \uE0100\uE0115\uE012", []))).not.toContain("\uE010");
  expect(MARKED.test(withMarks("\uE0100\uE0115\uE012", []))).toBe(false);
});
