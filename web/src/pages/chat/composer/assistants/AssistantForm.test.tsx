// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { App } from "antd";
import { afterAll, expect, test, vi } from "vitest";
import { AssistantForm } from "@/pages/chat/composer/assistants/AssistantForm";
import type { Assistant } from "@/pages/chat/composer/assistants/queries";

const sent = vi.hoisted(() => {
  const bodies: Record<string, unknown>[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "GET") return Response.json({ models: [], providers: [], default: "" });
    bodies.push((await request.json()) as Record<string, unknown>);
    return Response.json({ assistant_id: "a1" });
  });
  return bodies;
});
afterAll(() => void vi.unstubAllGlobals());

test("an assistant's sandbox is chosen beside its other options, which stay", async () => {
  const assistant = {
    agent_id: "a1", assistant_id: "a1", name: "Clerk", description: "", is_active: true, model: null,
    system_prompt: null, options: { enable_shell: false, sandbox_type: null },
  } as unknown as Assistant;
  render(
    <App>
      <QueryClientProvider client={new QueryClient()}>
        <AssistantForm assistant={assistant} onMade={() => undefined} close={() => undefined} />
      </QueryClientProvider>
    </App>,
  );
  fireEvent.mouseDown(screen.getByLabelText(/^Sandbox/));
  fireEvent.click((await screen.findAllByText(/^Daytona/)).at(-1) as Element);
  fireEvent.submit(document.querySelector("form") as Element);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.["options"]).toEqual({ enable_shell: false, sandbox_type: "daytona" });
});
