import { expect, test } from "vitest";
import { otherReading } from "@/components/readings/otherReading";

test.each([
  [
    "a.csv: column day can be read in two ways: 01/02/2024 is read as day, month, year, every date also fits month, " +
      'day, year (make_date(year("day"), day("day"), month("day")), or the source\'s option --dates mdy)',
    { dates: "mdy" },
  ],
  [
    "column v can be read in two ways: 1.234 is read as 1234, it could also be 1.234 (\"v\" / 1000, or the source's " +
      "option --decimals point)",
    { decimals: "point" },
  ],
  ["the text can be read in two ways: … (the source's option --encoding cp1252)", { encoding: "cp1252" }],
])("a note of two readings names the other one", (note, change) => {
  expect(otherReading(note)?.change).toEqual(change);
});

test("other notes offer nothing", () => {
  expect(otherReading("a.csv: 1 line of a footer is left out (line 22: 'Total --dates mdy')")).toBeNull();
  expect(otherReading("column day: 01/02/2024 is read as month, day, year, as a person chose")).toBeNull();
});
