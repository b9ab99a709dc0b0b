// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { AssistantPicker } from "@/pages/chat/composer/pickers/AssistantPicker";
import { ModelPicker } from "@/pages/chat/composer/pickers/ModelPicker";

const server = vi.hoisted(() => {
  const known = { asked: [] as string[] };
  const model = (name: string, is_usable: boolean) => {
    const [provider] = name.split(":");
    return { model: name, provider, name, sources: {}, is_default: false, is_own: false, is_usable };
  };
  const agent = (id: string, name: string) => ({
    agent_id: id,
    assistant_id: id,
    kind: "assistant",
    name,
    description: `${name} it is`,
    is_active: true,
  });
  const answers: Record<string, unknown> = {
    "/auth/me": { user_id: "u", role: "member" },
    "/agents": { items: [agent("default", "DataAgent"), agent("sales", "Sales")], next: null },
    "/models": {
      models: [model("demo:demo", true), model("openai:one", true), model("deepseek:far", false)],
      providers: [{ name: "deepseek", title: "DeepSeek" }],
      default: "demo:demo",
    },
  };
  // Before the client is made, which keeps the `fetch` it finds.
  vi.stubGlobal("fetch", ({ url }: Request) => {
    const { pathname, search } = new URL(url);
    const path = pathname.replace("/api/v1", "");
    known.asked.push(path + search);
    return Promise.resolve(Response.json(answers[path]));
  });
  return known;
});
afterAll(() => void vi.unstubAllGlobals());
beforeEach(() => void (server.asked.length = 0));

const me = { user_id: "u", role: "member" };

function show(picker: ReactNode) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  queries.setQueryData(["me"], me);
  render(
    <QueryClientProvider client={queries}>
      <MemoryRouter>{picker}</MemoryRouter>
    </QueryClientProvider>,
  );
}

const open = (name: string) => fireEvent.mouseDown(screen.getByRole("combobox", { name }));

test("the models are asked for when somebody looks, and one of them is chosen", async () => {
  const onChange = vi.fn<(model: string) => void>();
  show(<ModelPicker value="" last={null} assistantId="sales" projectId="p" onChange={onChange} />);
  expect(screen.getByText("Default model")).toBeTruthy();
  expect(server.asked).toEqual([]);
  open("Model");
  fireEvent.click(await screen.findByText("openai:one"));
  expect(onChange).toHaveBeenCalledWith("openai:one");
  expect(server.asked).toEqual(["/models?assistant_id=sales&project_id=p"]);
  expect(screen.getAllByText("demo:demo (default)").length).toBeGreaterThan(0);
  expect(screen.queryByText("Set up models …")).toBeNull();
});

test("a model without a key says why it cannot be chosen", async () => {
  const onChange = vi.fn<(model: string) => void>();
  show(<ModelPicker value="" last="demo:demo" assistantId={null} projectId={null} onChange={onChange} />);
  expect(screen.getByText("demo:demo (default)")).toBeTruthy();
  open("Model");
  fireEvent.click(await screen.findByText("Nobody has given DeepSeek a key yet"));
  expect(onChange).not.toHaveBeenCalled();
});

test("an assistant is chosen, and one that is gone is not passed off as another", async () => {
  const onChange = vi.fn<(assistantId: string) => void>();
  show(<AssistantPicker value="deleted" onChange={onChange} />);
  expect(await screen.findByText("An assistant that is gone")).toBeTruthy();
  open("Assistant");
  fireEvent.click(await screen.findByText("Sales it is"));
  expect(onChange).toHaveBeenCalledWith("sales");
});
