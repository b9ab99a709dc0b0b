// @vitest-environment happy-dom
import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { App } from "antd";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { usePreferences } from "@/app/state/preferences";
import ProjectPicker from "@/app/navigation/ProjectPicker";
import { newQueryClient } from "@/app/state/queryClient";
import { appTexts } from "@/app/texts";

const server = vi.hoisted(() => {
  const known = { listed: [] as string[], there: [] as string[] };
  const project = (id: string) => ({ project_id: id, name: `Project ${id}` });
  // Before the client is made, which keeps the `fetch` it finds.
  vi.stubGlobal("fetch", ({ url }: Request) => {
    const path = new URL(url).pathname.replace("/api/v1", "");
    if (path === "/projects") return Promise.resolve(Response.json({ items: known.listed.map(project) }));
    const id = path.replace("/projects/", "");
    if (known.there.includes(id)) return Promise.resolve(Response.json(project(id)));
    const body = { error_code: "NOT_FOUND", message: `There is no '${id}'` };
    return Promise.resolve(Response.json(body, { status: 404 }));
  });
  return known;
});
afterAll(() => void vi.unstubAllGlobals());
beforeEach(() => Object.assign(server, { listed: [], there: [] }));

function opened(projectId: string | null) {
  usePreferences.setState({ projectId });
  const queries = newQueryClient();
  render(
    <App>
      <QueryClientProvider client={queries}>
        <ProjectPicker />
      </QueryClientProvider>
    </App>,
  );
  return queries;
}

const chosen = () => usePreferences.getState().projectId;

test("a project that is gone is left, and that is said, also where there is none to choose", async () => {
  opened("gone");
  await waitFor(() => expect(chosen()).toBeNull());
  expect(await screen.findByText(appTexts.en.project_gone)).toBeTruthy();
});

test("a project beyond the end of the list is kept", async () => {
  Object.assign(server, { listed: ["a"], there: ["a", "far"] });
  opened("far");
  await screen.findByRole("combobox");
  await act(() => new Promise((done) => setTimeout(done, 30)));
  expect(chosen()).toBe("far");
});

test("deleted by somebody else meanwhile, it is left with the first thing that is not found", async () => {
  Object.assign(server, { listed: ["a", "b"], there: ["a", "b"] });
  const queries = opened("b");
  await screen.findByTitle("Project b");
  Object.assign(server, { listed: ["a"], there: ["a"] });
  const { api, dataOf } = await import("@/api/client");
  const params = { path: { project_id: "b" } };
  const queryFn = () => dataOf(api.GET("/api/v1/projects/{project_id}", { params }));
  await act(() => queries.fetchQuery({ queryKey: ["data of b"], queryFn }).catch(() => undefined));
  await waitFor(() => expect(chosen()).toBeNull());
});
