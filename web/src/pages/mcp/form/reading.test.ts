import { describe, expect, test } from "vitest";
import { readPasted } from "@/pages/mcp/paste/pasted";
import { readArgs, readPairs, writeLines, writePairs } from "@/pages/mcp/form/reading";

describe("what is typed", () => {
  test("arguments are lines or a JSON array, S0's way", () => {
    expect(readArgs("-y\n  @scope/server \n\n/data dir")).toEqual(["-y", "@scope/server", "/data dir"]);
    expect(readArgs('["-y", "a b", 8080]')).toEqual(["-y", "a b", "8080"]);
    expect(readArgs("")).toEqual([]);
    expect(() => readArgs('["-y"')).toThrow(SyntaxError);
    expect(() => readArgs('[["nested"]]')).toThrow(SyntaxError);
  });

  test("pairs are lines of an environment, of headers, or a JSON object", () => {
    expect(readPairs("TOKEN=a=b:c\nURL = https://x")).toEqual({ TOKEN: "a=b:c", URL: "https://x" });
    expect(readPairs("Authorization: Bearer x=1")).toEqual({ Authorization: "Bearer x=1" });
    expect(readPairs('{"PORT": 80, "ON": true}')).toEqual({ PORT: "80", ON: "true" });
    expect(() => readPairs("just a word")).toThrow("just a word");
    expect(() => readPairs('{"a": {"b": 1}}')).toThrow(SyntaxError);
  });

  test.each([[["a", "b c"]], [["", "a"]], [["[x"]], [["two\nlines"]], [[]]])(
    "what is shown of %j reads back the same",
    (args) => expect(readArgs(writeLines(args))).toEqual(args),
  );

  test("pairs that are shown read back the same", () => {
    for (const pairs of [{ A: "***", B: "" }, { KEY: "one\ntwo" }, {}] as Record<string, string>[]) {
      expect(readPairs(writePairs(pairs))).toEqual(pairs);
    }
  });
});

describe("what is pasted", () => {
  test("mcpServers of a desktop client, several at once", () => {
    const { servers, ignored } = readPasted(
      JSON.stringify({
        mcpServers: {
          "my files": {
            command: "npx",
            args: ["-y", "@modelcontextprotocol/server-filesystem", "/data"],
            env: { DEBUG: 1 },
            autoApprove: ["read_file"],
          },
          remote: { type: "streamable-http", url: "https://mcp.example/mcp", timeout: 60000 },
        },
      }),
    );
    expect(servers).toEqual([
      {
        name: "my-files",
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-filesystem", "/data"],
        env: { DEBUG: "1" },
      },
      { name: "remote", url: "https://mcp.example/mcp", transport: "http", timeout: 60 },
    ]);
    expect(ignored).toEqual(["my files.autoApprove"]);
  });

  test("the map alone, VS Code's `servers`, and one server alone", () => {
    expect(readPasted('{"time": {"command": "uvx", "args": ["mcp-server-time"]}}').servers).toEqual([
      { name: "time", command: "uvx", args: ["mcp-server-time"] },
    ]);
    expect(readPasted('{"servers": {"x": {"type": "sse", "url": "http://h/sse"}}}').servers).toEqual([
      { name: "x", url: "http://h/sse", transport: "sse" },
    ]);
    expect(readPasted('{"serverUrl": "https://h/mcp", "enabled": false}').servers[0]).toMatchObject({
      url: "https://h/mcp",
      disabled: true,
    });
  });

  test.each(["", "{}", "[]", '{"mcpServers": {}}', '{"a": 1}', '{"mcpServers": {"a": "npx"}}'])(
    "%j is refused",
    (text) => expect(() => readPasted(text)).toThrow(SyntaxError),
  );
});
