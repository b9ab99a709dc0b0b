import { expect, test } from "vitest";
import { readCsv } from "@/pages/files/csv";
import { crumbsOf, encodePath, freeName, parentOf, previewKind, uploadFolder } from "@/pages/files/naming";

test("a name that is taken gets the next number before its ending", () => {
  const taken = new Set(["a.csv", "a (2).csv", "b", ".env"]);
  expect(freeName("a.csv", taken)).toBe("a (3).csv");
  expect(freeName("b", taken)).toBe("b (2)");
  expect(freeName(".env", taken)).toBe(".env (2)");
  expect(freeName("c.csv", taken)).toBe("c.csv");
});

test("uploads go where one is, or into /uploads where nobody may write", () => {
  expect(uploadFolder("/files/deep")).toBe("/files/deep");
  expect(uploadFolder("/filesystem")).toBe("/uploads");
  expect(uploadFolder("/")).toBe("/uploads");
});

test("crumbs name each folder exactly, also where a name is not UTF-8", () => {
  expect(crumbsOf("/uploads/%E6%95%B0/%FF")).toEqual([
    { name: "uploads", path: "/uploads" },
    { name: "数", path: "/uploads/%E6%95%B0" },
    { name: "%FF", path: "/uploads/%E6%95%B0/%FF" },
  ]);
  expect(crumbsOf("/")).toEqual([]);
  expect(parentOf("/uploads/a")).toBe("/uploads");
  expect(parentOf("/uploads")).toBe("/");
  expect(encodePath("/uploads/a b#?.csv")).toBe("/uploads/a%20b%23%3F.csv");
});

test("a preview goes by the ending", () => {
  expect(previewKind("x.VL.json")).toBe("chart");
  expect(previewKind("x.json")).toBe("json");
  expect(previewKind("r.pdf")).toBe("none");
  expect(previewKind("Makefile")).toBe("text");
});

test("CSV cells may hold separators, quotes and line ends", () => {
  expect(readCsv('\uFEFFa,b\r\n"1,5","say ""hi""\nthere"\r\n,\n', 10)).toEqual([
    ["a", "b"],
    ["1,5", 'say "hi"\nthere'],
    ["", ""],
  ]);
  expect(readCsv("a;b,c;d\n1;2;3", 10)).toEqual([["a", "b,c", "d"], ["1", "2", "3"]]);
  expect(readCsv("a\nb\nc", 2)).toEqual([["a"], ["b"]]);
  expect(readCsv("", 5)).toEqual([]);
});
