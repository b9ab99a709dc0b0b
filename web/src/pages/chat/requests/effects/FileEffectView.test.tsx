// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { afterAll, expect, test, vi } from "vitest";
import { EffectView } from "@/pages/chat/requests/effects/EffectView";
import type { Action } from "@/pages/chat/requests/answer/answers";
import type { JsonObject } from "@/stream/events";

const server = vi.hoisted(() => {
  const told = { file: {} as object | null, status: 200 };
  vi.stubGlobal("fetch", () => {
    const body = told.status === 200 ? { file: told.file } : { error_code: "CONFLICT", message: "No." };
    return Promise.resolve(Response.json(body, { status: told.status }));
  });
  return told;
});
afterAll(() => void vi.unstubAllGlobals());

const FILE = {
  path: "/a",
  exists: true,
  removes: false,
  bytes_before: 4,
  bytes_after: 4,
  diff: null,
  diff_cut: false,
  not_compared: null,
  detail: null,
};

function show(name: string, args: JsonObject, file: object | null, status = 200): void {
  Object.assign(server, { file: file && { ...FILE, ...file }, status });
  const action = { name, args } as Action;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <EffectView interruptId="i" action={action} />
    </QueryClientProvider>,
  );
}

const WRITE = { file_path: "/a", content: "new text" };
const text = () => document.body.textContent ?? "";

test("what is replaced is shown as the server compared it", async () => {
  show("write_file", WRITE, { diff: "@@ -1,1 +1,1 @@\n-old text\n+new text" });
  await screen.findByText("-old text");
  expect(text()).toContain("Replaces the file that is there");
});

test("a new file is called new only when the server says so", async () => {
  show("write_file", WRITE, { exists: false, diff: "@@ -0,0 +1,1 @@\n+new text" });
  await screen.findByText("A new file");
});

test.each([
  ["too_large", "It is too large."],
  ["not_text", "It is not text."],
  ["elsewhere", "not in the workspace"],
])("%s is said, and all that was written is there", async (not_compared, said) => {
  show("write_file", WRITE, { not_compared, exists: not_compared === "elsewhere" ? null : true });
  await screen.findByText("This is not compared with the file that is there.");
  expect(text()).toContain(said);
  expect(text()).toContain("new text");
  expect(text()).not.toContain("A new file");
});

test("where nothing could be asked, that is said too", async () => {
  show("write_file", WRITE, null, 409);
  await screen.findByText("This is not compared with the file that is there.");
  expect(text()).toContain("new text");
});

test("an edit that will fail says why, and shows what was wanted", async () => {
  const args = { file_path: "/a", edits: [{ old_string: "one", new_string: "two", replace_all: true }] };
  show("multi_edit", args, { not_compared: "fails", detail: "old_string was not found" });
  await screen.findByText("As it stands, this will fail.");
  expect(text()).toContain("old_string was not found");
  expect(text()).toContain("-one");
  expect(text()).toContain("in every place");
});

test("a deletion shows what is lost", async () => {
  show("delete_file", { file_path: "/a" }, { removes: true, diff: "@@ -1,1 +0,0 @@\n-old text" });
  await screen.findByText("-old text");
  expect(text()).toContain("for good");
});

test("of a tool that is not ours every argument is there, under its whole name", () => {
  show("mcp__acme_drive__upload", { ...WRITE, url: "https://elsewhere.example" }, null);
  expect(text()).toContain("mcp__acme_drive__upload");
  expect(text()).toContain("https://elsewhere.example");
  expect(text()).not.toContain("Comparing");
});
