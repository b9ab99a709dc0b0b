import { expect, test } from "vitest";
import { ApiError } from "@/api/errors";
import { costlyOf } from "@/pages/data/costly";

const conflict = (details: Record<string, unknown>) => new ApiError("CONFLICT", "Not run", 409, details);

test("a query that was held back can be run anyway; another conflict cannot", () => {
  expect(costlyOf(conflict({ expensive: "so many rows", est_rows: 3e8 }))).toEqual({ rows: 3e8 });
  expect(costlyOf(conflict({ expensive: "its cost", est_rows: null }))).toEqual({ rows: null });
  expect(costlyOf(conflict({}))).toBeNull();
  expect(costlyOf(new Error("expensive"))).toBeNull();
  expect(costlyOf(null)).toBeNull();
});
