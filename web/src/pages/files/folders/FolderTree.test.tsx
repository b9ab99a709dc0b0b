// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { FolderTree } from "@/pages/files/folders/FolderTree";
import { isWithin } from "@/pages/files/naming";
import { movedTo } from "@/pages/files/folders/treeKeys";

const asked: string[] = [];
const FOLDERS: Record<string, string[]> = {
  "/": ["/files", "/uploads"],
  "/uploads": ["/uploads/2025", "/uploads/2026"],
  "/uploads/2026": [],
};
vi.stubGlobal("fetch", (address: string) => {
  const path = new URL(address, "http://here").searchParams.get("path") ?? "";
  asked.push(path);
  const entry = (each: string) => ({ kind: "dir", name: each.split("/").at(-1), encoded_path: each });
  const items = [...(FOLDERS[path] ?? []).map(entry), { kind: "file", name: "a.csv", encoded_path: `${path}/a.csv` }];
  return Promise.resolve(Response.json({ items, next: null }));
});
afterAll(() => void vi.unstubAllGlobals());
beforeEach(() => void asked.splice(0));

function shown(folder: string) {
  const openFolder = vi.fn<(path: string) => void>();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <FolderTree workspaceId="w" folder={folder} openFolder={openFolder} />
    </QueryClientProvider>,
  );
  return openFolder;
}

const item = (name: string) => screen.findByRole("treeitem", { name });

test("only what is opened is asked for, and the way to the open folder is open", async () => {
  shown("/uploads");
  await item("2026");
  expect(screen.queryByRole("treeitem", { name: "a.csv" })).toBeNull();
  expect(asked.toSorted()).toEqual(["/", "/uploads"]);
  expect((await item("uploads")).getAttribute("aria-selected")).toBe("true");
  fireEvent.keyDown(await item("2026"), { key: "ArrowRight" });
  expect(asked).toContain("/uploads/2026");
});

test("by keys alone: down into the tree, open, in, choose, and out again", async () => {
  const openFolder = shown("/");
  const home = await item("All folders");
  const uploads = await item("uploads");
  home.focus();
  fireEvent.keyDown(home, { key: "End" });
  expect(document.activeElement).toBe(uploads);
  expect(uploads.tabIndex).toBe(0);
  expect(home.tabIndex).toBe(-1);
  fireEvent.keyDown(uploads, { key: "ArrowRight" });
  const year = await item("2025");
  expect(document.activeElement).toBe(uploads);
  fireEvent.keyDown(uploads, { key: "ArrowRight" });
  expect(document.activeElement).toBe(year);
  fireEvent.keyDown(year, { key: "Enter" });
  expect(openFolder).toHaveBeenCalledExactlyOnceWith("/uploads/2025");
  fireEvent.keyDown(year, { key: "ArrowLeft" });
  fireEvent.keyDown(uploads, { key: "ArrowLeft" });
  expect(screen.queryByRole("treeitem", { name: "2025" })).toBeNull();
});

test("the arrows stay in the tree", () => {
  const levels = [1, 2, 3, 2];
  expect(movedTo("ArrowUp", 0, levels)).toBe(0);
  expect(movedTo("ArrowDown", 3, levels)).toBe(3);
  expect(movedTo("ArrowLeft", 3, levels)).toBe(0);
  expect(movedTo("ArrowRight", 3, levels)).toBeUndefined();
  expect(movedTo("x", 1, levels)).toBeUndefined();
});

test("a name that begins alike is another folder", () => {
  expect(isWithin("/files/deep", "/files")).toBe(true);
  expect(isWithin("/filesystem", "/files")).toBe(false);
});
