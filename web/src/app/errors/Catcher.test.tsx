// @vitest-environment happy-dom
import { fireEvent, render, screen } from "@testing-library/react";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { errorTexts } from "@/api/errors.texts";
import { Catcher } from "@/app/errors/Catcher";
import { LazyPage } from "@/app/navigation/LazyPage";
import { isMissingCode, watchForMissingCode } from "@/app/errors/missingCode";
import type { PageEntry } from "@/app/navigation/pages";
import { appTexts } from "@/app/texts";

const fetched = vi.fn<() => Promise<Response>>();
vi.stubGlobal("fetch", () => fetched());
vi.spyOn(console, "error").mockImplementation(() => undefined);
afterAll(() => (vi.unstubAllGlobals(), vi.restoreAllMocks()));
beforeEach(() => void fetched.mockReset());

const missing = () => new TypeError("Failed to fetch dynamically imported module: /assets/View-1.js");

const show = (path: string, load: () => Promise<{ default: () => string }>) =>
  render(
    <Catcher>
      <LazyPage page={{ path, load } as unknown as PageEntry} />
    </Catcher>,
  );

test("a page of an older build says that there is a new one, and how to get it", async () => {
  fetched.mockResolvedValue(Response.json({}));
  show("/old", () => Promise.reject(missing()));
  expect(await screen.findByText(appTexts.en.new_version)).toBeTruthy();
  expect(screen.getByRole("button", { name: appTexts.en.reload })).toBeTruthy();
});

test("with nobody there it is no new version, and trying again loads the page", async () => {
  fetched.mockRejectedValue(new TypeError("offline"));
  const load = vi.fn<() => Promise<{ default: () => string }>>();
  load.mockRejectedValueOnce(missing()).mockResolvedValue({ default: () => "the page" });
  show("/away", load);
  expect(await screen.findByText(errorTexts.en.unreachable)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: appTexts.en.retry }));
  expect(await screen.findByText("the page")).toBeTruthy();
});

test("a page that breaks says what broke", async () => {
  show("/broken", () => Promise.reject(new Error("a defect")));
  expect(await screen.findByText(/a defect/)).toBeTruthy();
});

test("what Vite could not load is known by what it says of it", () => {
  const target = new EventTarget();
  const stop = watchForMissingCode(target);
  const payload = new Error("Unable to preload CSS for /assets/chart.css");
  expect(isMissingCode(payload)).toBe(false);
  target.dispatchEvent(Object.assign(new Event("vite:preloadError"), { payload }));
  expect(isMissingCode(payload)).toBe(true);
  stop();
});
