// @vitest-environment happy-dom
import { render, screen } from "@testing-library/react";
import { act } from "react";
import { afterEach, expect, test } from "vitest";
import { ApiError } from "@/api/errors";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { changeLanguage } from "@/i18n";

afterEach(() => changeLanguage("en"));

test("a request id is not shown where a person can help themselves, and folded where nobody can", () => {
  const { rerender } = render(<ErrorNotice error={new ApiError("NOT_FOUND", "There is no x.", 404, {}, "0a1b2c")} />);
  expect(screen.queryByText(/0a1b2c/)).toBeNull();
  rerender(<ErrorNotice error={new ApiError("INTERNAL", "It failed.", 500, {}, "0a1b2c")} />);
  const shown = screen.getAllByText(/0a1b2c/);
  expect(shown).toHaveLength(1);
  expect(shown[0]?.closest("details")?.open).toBe(false);
});

test("a data tool's error is drawn again in Chinese once its sentences are there", async () => {
  act(() => changeLanguage("zh"));
  render(<ErrorNotice error={new ApiError("NOT_FOUND", "There is no source 'shop'.", 404)} />);
  expect(await screen.findByText("没有数据源 'shop'。")).toBeTruthy();
});
