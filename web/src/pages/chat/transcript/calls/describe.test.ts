import { expect, test } from "vitest";
import { cutOutput, keyArgument, kindOf, mcpName } from "@/pages/chat/transcript/calls/describe";

test.each([
  ["shell", { command: "ls  -la\n | wc", timeout_s: 3 }, "ls -la | wc"],
  ["sql_query", { source: "shop", sql: "SELECT 1" }, "SELECT 1"],
  ["http_request", { url: "https://x.example", method: "POST" }, "POST https://x.example"],
  ["mcp__local_git__log", { depth: 3, ref: "main" }, "main"],
  ["data_list_sources", {}, ""],
])("a call of %s is known by %j", (tool, args, shown) => {
  expect(keyArgument({ tool, args })).toBe(shown);
});

test("a tool of an MCP server names both", () => {
  expect(kindOf("mcp__local_git-hub__list_issues")).toBe("mcp");
  expect(mcpName("mcp__local_git-hub__list_issues")).toEqual({ server: "git-hub", tool: "list_issues" });
});

test("a cut output says where the whole is, if it is anywhere", () => {
  expect(cutOutput("all of it")).toBeNull();
  expect(cutOutput("x\n... (12 more characters not shown)")).toEqual({ path: null });
  expect(cutOutput("x\n(Output truncated at 9 bytes; 3 more are in /kept/ab.txt: read_file shows them)")).toEqual({
    path: "/kept/ab.txt",
  });
});
