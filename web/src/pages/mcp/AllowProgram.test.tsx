// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { App } from "antd";
import { afterAll, expect, test, vi } from "vitest";
import { AllowProgram } from "@/pages/mcp/AllowProgram";
import type { Server } from "@/pages/mcp/form/fields";

const sent = vi.hoisted(() => {
  const requests: string[] = [];
  vi.stubGlobal("fetch", (request: Request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}${new URL(request.url).search}`);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  return requests;
});
afterAll(() => void vi.unstubAllGlobals());

test("a program that waits says what it may reach and starts after a click", async () => {
  const server = {
    name: "files", scope: "user", transport: "stdio", network: null, hosts: [], env: { TOKEN: "***" },
    read_paths: ["/data/in"], write_paths: [], needs_allow: true,
  } as unknown as Server;
  const allowed = vi.fn();
  render(
    <App>
      <QueryClientProvider client={new QueryClient()}>
        <AllowProgram server={server} allowed={allowed} />
      </QueryClientProvider>
    </App>,
  );
  const shown = screen.getByRole("alert").textContent ?? "";
  expect(shown).toContain("/data/in");
  expect(shown).toContain("TOKEN");
  expect(shown).not.toContain("***");
  fireEvent.click(screen.getByRole("button", { name: /Allow the program of files/ }));
  await waitFor(() => expect(allowed).toHaveBeenCalled());
  expect(sent).toEqual(["POST /api/v1/mcp/servers/files/allow?scope=user"]);
});
