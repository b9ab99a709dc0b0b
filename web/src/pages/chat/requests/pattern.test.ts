import { expect, test } from "vitest";
import { patternText } from "@/pages/chat/requests/plan";

const ASKED = `This was done before with success. Again that way?

Earlier work like this led to a result. It permits nothing.
- Write the note of {date} (3 of 3 succeeded)
  1. Write it (write_file)
  2. Read it (read_file)
  Tools: write_file > read_file`;

test("a person reads what is known of the pattern, and not what the model is told about it", () => {
  expect(patternText(ASKED)).toBe(`- Write the note of {date} (3 of 3 succeeded)
  1. Write it (write_file)
  2. Read it (read_file)

  Tools: write_file > read_file`);
});

test("a question of another form is shown as it is", () => {
  expect(patternText("Again that way?")).toBe("Again that way?");
});
