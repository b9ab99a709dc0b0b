import { expect, test } from "vitest";
import { fitting, grouped } from "@/pages/tools/choosing";
import type { Tool } from "@/pages/tools/queries";

const tool = (name: string, source: string, action: Tool["rule"]["action"] = "allow"): Tool => ({
  name,
  title: name,
  description: `does ${name}`,
  source,
  effect: "pure",
  shown: "core",
  rule: { action, source: "default", resource: null, reason: "" },
  input_schema: {},
});

const TOOLS = [tool("now", "mcp:time"), tool("sql_query", "built-in", "ask"), tool("ls", "mcp:files"), tool("own", "extra")];

test("every word must be somewhere: name, description or source", () => {
  const names = (query: string, action: Parameters<typeof fitting>[2] = "all") =>
    fitting(TOOLS, query, action).map((each) => each.name);
  expect(names("MCP does")).toEqual(["now", "ls"]);
  expect(names("query sql")).toEqual(["sql_query"]);
  expect(names("", "ask")).toEqual(["sql_query"]);
  expect(names("now", "deny")).toEqual([]);
});

test("built-in tools come first, servers last and by name", () => {
  expect(grouped(TOOLS).map(([source]) => source)).toEqual(["built-in", "extra", "mcp:files", "mcp:time"]);
});
