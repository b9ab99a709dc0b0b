import { expect, test } from "vitest";
import { cameFrom, effectOf } from "@/pages/chat/requests/effects/effect";
import type { HumanRequest } from "@/pages/chat/requests/answer/answers";
import { requestTexts } from "@/pages/chat/requests/texts";
import { titleOf } from "@/pages/chat/requests/title";
import { say } from "@/i18n";
import type { JsonObject } from "@/stream/events";

const title = (name: string, args: JsonObject, subagent?: string): string => {
  const action = subagent ? { name, args, subagent } : { name, args };
  const request = { kind: "approval", action_requests: [action], context: null } as unknown;
  return titleOf(request as HumanRequest, "acme_eu", (key, values) => say(requestTexts, key, values));
};

test("our own tools are shown by what they do, with everything else beside it", () => {
  expect(effectOf("shell", { command: "ls", timeout: 5 })).toEqual({
    kind: "command",
    text: "ls",
    rest: { timeout: 5 },
  });
  expect(effectOf("sql_write", { source: "shop", sql: "DELETE", rows: 3 })).toEqual({
    kind: "sql",
    text: "DELETE",
    rest: { source: "shop", rows: 3 },
  });
  expect(effectOf("write_file", { file_path: "/a", content: "", mode: "0777" })).toEqual({
    kind: "write",
    path: "/a",
    content: "",
    rest: { mode: "0777" },
  });
  expect(effectOf("edit_file", { file_path: "/a", old_string: "x", new_string: "", replace_all: true })).toEqual({
    kind: "edit",
    path: "/a",
    edits: [{ before: "x", after: "", everywhere: true }],
    rest: {},
  });
  const edits = [{ old_string: "a", new_string: "b" }];
  expect(effectOf("multi_edit", { file_path: "/a", edits })).toMatchObject({
    kind: "edit",
    edits: [{ before: "a", after: "b", everywhere: false }],
  });
  expect(effectOf("delete_file", { file_path: "/a" }).kind).toBe("delete");
});

test.each(["mcp__acme_drive__upload", "mcp__acme_drive__write_file", "upload", "toString"])(
  "%s is shown by its arguments alone, whatever they are called",
  (tool) => {
    const args = { file_path: "/note", content: "hi", command: "ls", sql: "x", url: "https://elsewhere.example" };
    expect(effectOf(tool, args)).toEqual({ kind: "other", rest: args });
  },
);

test("what does not fit the tool is not guessed", () => {
  expect(effectOf("write_file", { file_path: "/a", content: 1 }).kind).toBe("other");
  expect(effectOf("edit_file", { file_path: "/a", old_string: "x", new_string: "y", replace_all: "no" }).kind).toBe("other");
  const more = [{ old_string: "a", new_string: "b", also: "/etc" }];
  expect(effectOf("multi_edit", { file_path: "/a", edits: more }).kind).toBe("other");
});

test("a title names the tool, and the server it is from", () => {
  expect(title("write_file", { file_path: "/a", content: "" })).toBe("The agent wants to write /a (write_file)");
  expect(title("delete_file", { file_path: "/a" }, "tidier")).toBe("tidier wants to delete /a (delete_file)");
  expect(title("shell", { command: "ls" })).toBe("The agent wants to run a command (shell)");
  expect(title("mcp__acme_eu_my_drive__upload", { file_path: "/a", content: "" })).toBe(
    "The agent wants to use upload of the MCP server my_drive",
  );
  expect(cameFrom("write_file", "acme")).toBeNull();
  expect(cameFrom("mcp__other_drive__up__load", "acme")).toEqual({ server: "drive", tool: "up__load" });
});

test("a server's request for the model is shown message by message", () => {
  const name = "mcp__acme_eu_desk__sampling/createMessage";
  const messages = [{ role: "user", text: "Say hello." }];
  const args = { server: "desk", system_prompt: "Be brief.", messages, max_tokens: 5 };
  expect(effectOf(name, args)).toEqual({
    kind: "sampling",
    server: "desk",
    messages: [{ role: "system", text: "Be brief." }, ...messages],
    rest: { max_tokens: 5 },
  });
  expect(title(name, args)).toBe("The MCP server desk wants the model to answer this");
  expect(effectOf(name, { ...args, messages: ["hi"] }).kind).toBe("other");
  expect(effectOf("mcp__acme_eu_desk__createMessage", args).kind).toBe("other");
});
