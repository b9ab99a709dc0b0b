import { assert, property, array, constantFrom } from "fast-check";
import { expect, test } from "vitest";
import { textDiff } from "@/components/diff/textDiff";

test("what stayed, what went and what came stand in order", () => {
  expect(textDiff("a\nb\nc\nd", "a\nx\nc\nd\ne").map((line) => line.text)).toEqual([" a", "-b", "+x", " c", " d", "+e"]);
  expect(textDiff("same", "same")).toEqual([{ kind: "same", text: " same" }]);
});

test("each text can be read back from the difference", () => {
  const text = array(constantFrom("a", "b", "c"), { maxLength: 12, minLength: 1 });
  assert(
    property(text, text, (before, after) => {
      const lines = textDiff(before.join("\n"), after.join("\n"));
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text.slice(1));
      expect(without("added")).toEqual(before);
      expect(without("removed")).toEqual(after);
    }),
  );
});
