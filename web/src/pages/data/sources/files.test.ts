import { expect, test } from "vitest";
import { freeName, isDataFile, isTextFile, safeName } from "@/pages/data/sources/files";

test.each(["a.csv", "A.CSV", "a b.xlsx", "数据.parquet", "x.ndjson", "x.csv.gz"])("%s is data", (name) => {
  expect(isDataFile(name)).toBe(true);
});

test.each(["a.pdf", "csv", "a.gz", "a.xls", "a.csv.zip"])("%s is not", (name) => {
  expect(isDataFile(name)).toBe(false);
});

test("only text can be read in several ways", () => {
  expect(["/uploads/a.csv", "b.TSV.gz", "c.ndjson"].every(isTextFile)).toBe(true);
  expect(["a.xlsx", "a.parquet", "a.db", "/csv"].some(isTextFile)).toBe(false);
});

test("a second file of a name gets a number before its ending", () => {
  expect(freeName("a.csv", new Set())).toBe("a.csv");
  expect(freeName("a.csv", new Set(["a.csv", "a (2).csv"]))).toBe("a (3).csv");
  expect(freeName("a.csv.gz", new Set(["a.csv.gz"]))).toBe("a (2).csv.gz");
});

test("a name cannot leave its folder", () => {
  expect(safeName("../a\\b.csv")).toBe("__a_b.csv");
});
