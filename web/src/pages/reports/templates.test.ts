import { expect, test } from "vitest";
import { blank, fromQuestion } from "@/pages/reports/templates";

const QUESTION = { name: 'Say "hi": 区域', source: "/uploads/a b.csv", sql: " SELECT 1\n\nFROM t ", chart: null };

test("a question becomes a report with its SQL as lines", () => {
  expect(fromQuestion(QUESTION)).toBe(`title: "Say \\"hi\\": 区域"
queries:
  answer:
    source: "/uploads/a b.csv"
    sql: |-
      SELECT 1

      FROM t
blocks:
- type: chart
  query: answer
- type: table
  query: answer
  rows_max: 50
`);
});

test("SQL that lines cannot hold is a quoted text, and a chart is its spec", () => {
  const made = fromQuestion({ ...QUESTION, sql: "SELECT 1\r\nFROM t", chart: { mark: "bar" } });
  expect(made).toContain('sql: "SELECT 1\\r\\nFROM t"');
  expect(made).toContain('spec: {"mark":"bar"}');
});

test("an empty page has a block", () => {
  expect(blank({ title: "A", intro: "B", source: "", table: "" })).toContain("- type: text");
});
