import { expect, test } from "vitest";
import type { PatternInfo } from "@/api/learned/patterns";
import { say, type Say } from "@/i18n";
import { savedText, usesText } from "@/pages/learned/patterns/list/figures";
import { fits } from "@/pages/learned/patterns/list/fits";
import { texts } from "@/pages/learned/patterns/texts";

const t: Say<keyof typeof texts.en> = (key, values) => say(texts, key, values);
const pattern = (more: object) =>
  ({ name: "Sum up sales by region", description: "按地区汇总", tools: ["sql_query"], usage_count: 0, workflow: null, ...more }) as unknown as PatternInfo;

test.each([
  ["", true],
  ["REGION sales", true],
  ["地区", true],
  ["sql_", true],
  ["sales by month", false],
])("the words %j find it: %s", (words, found) => {
  expect(fits(pattern({}), words)).toBe(found);
});

test("one that was never used has no rate", () => {
  expect(usesText(pattern({ success_rate: 1 }), t)).toBe("not used yet");
  expect(savedText(pattern({ workflow: { runs: 0, tokens_saved: 0, seconds_saved: 0 } }), t)).toBeNull();
});

test("a workflow that took longer than the work before saved less than nothing", () => {
  const workflow = { runs: 2, tokens_saved: 4100, seconds_saved: -2.5 };
  expect(savedText(pattern({ workflow }), t)).toContain("−2.5 s");
});
