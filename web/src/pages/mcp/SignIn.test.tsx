// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { App } from "antd";
import { afterAll, expect, test, vi } from "vitest";
import type { Server } from "@/pages/mcp/form/fields";
import { SignIn } from "@/pages/mcp/SignIn";
import { texts } from "@/pages/mcp/texts";

vi.hoisted(() =>
  // Before the client is made, which keeps the `fetch` it finds.
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      Response.json({ error_code: "MCP_SERVER_ERROR", message: "the server 'wiki' is down" }, { status: 502 }),
    ),
  ),
);
afterAll(() => void vi.unstubAllGlobals());

test("a sign-out that failed does not look like one that worked", async () => {
  const server = { name: "wiki", scope: "user", status: "connected", transport: "http" } as Server;
  render(
    <App>
      <QueryClientProvider client={new QueryClient()}>
        <SignIn server={server} began={() => undefined} />
      </QueryClientProvider>
    </App>,
  );
  fireEvent.click(screen.getByRole("button", { name: /Sign out/ }));
  const asked = await screen.findByText(texts.en.sign_out_ask.replace("{name}", "wiki"));
  const buttons = asked.closest(".ant-popover")?.querySelectorAll("button") ?? [];
  fireEvent.click(buttons[buttons.length - 1] as Element);
  expect((await screen.findByRole("alert")).textContent).toContain("wiki");
});
