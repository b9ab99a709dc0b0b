// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { Made } from "@/pages/chat/transcript/calls/Made";
import { SettingContext } from "@/pages/chat/transcript/setting";
import type { CallItem } from "@/stream/conversation";

const server = vi.hoisted(() => {
  const known = { asked: [] as string[], status: 200 };
  vi.stubGlobal("fetch", (path: string) => {
    known.asked.push(path);
    const body = known.status === 204 ? null : JSON.stringify({ mark: "bar", message: "gone" });
    return Promise.resolve(new Response(body, { status: known.status }));
  });
  return known;
});
vi.mock("@/components/charts/Chart", () => ({
  Chart: ({ spec, title }: { spec: object; title: string }) => <div role="img" aria-label={title} title={JSON.stringify(spec)} />,
}));
// The frame itself would be loaded.
vi.mock("@/components/page/FramedPage", () => ({
  FramedPage: ({ src, title }: { src: string; title: string }) => <section aria-label={title} title={src} />,
}));
afterAll(() => void vi.unstubAllGlobals());
beforeEach(() => {
  server.asked = [];
  server.status = 200;
});

const PLACE = "/api/v1/sessions/s1/artifacts/";

function shown(...files: [id: string, path: string, media_type: string][]) {
  const artifacts = files.map(([id, path, media_type]) => ({ id, path, media_type, name: path.slice(1), bytes: 5 }));
  const call = { result: { artifacts } } as unknown as CallItem;
  const setting = { sessionId: "s1", canAnswer: false, activeRunId: null, actions: {} };
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <SettingContext.Provider value={setting}>
        <Made call={call} />
      </SettingContext.Provider>
    </QueryClientProvider>,
  );
}

test("a chart is drawn from its spec, which the session gives", async () => {
  shown(["a1", "/sales.vl.json", "application/json"]);
  const chart = await screen.findByRole("img", { name: /sales/ });
  expect(chart.title).toBe('{"mark":"bar","message":"gone"}');
  expect(server.asked).toEqual([`${PLACE}a1?if_there=true`]);
});

test("a chart that a rewind took back is said to be gone, and not that it failed", async () => {
  server.status = 204;
  shown(["a1", "/sales.vl.json", "application/json"]);
  expect(await screen.findByText(/sales\.vl\.json is no longer in the workspace/)).toBeTruthy();
});

test.each([
  ["/plot.png", "image/png"],
  ["/plot.svg", "image/svg+xml"],
])("%s is shown, and can be had as a file", (path, type) => {
  shown(["a2", path, type]);
  expect(screen.getByRole("img").getAttribute("src")).toBe(`${PLACE}a2?if_there=true`);
  const link = screen.getByRole("link");
  expect([link.getAttribute("href"), link.getAttribute("download")]).toEqual([`${PLACE}a2`, path.slice(1)]);
});

test("a picture that is gone says so", () => {
  shown(["a2", "/plot.png", "image/png"]);
  fireEvent.error(screen.getByRole("img"));
  expect(screen.getByText(/plot\.png is no longer/)).toBeTruthy();
});

test("a report is shown on demand, by the address that is made for frames", async () => {
  shown(["a3", "/report.html", "text/html"]);
  expect(server.asked).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: /Show the report/ }));
  const frame = await screen.findByRole("region", { name: /report\.html/ });
  expect(frame.title).toBe(`${PLACE}a3?preview=true`);
});

test("a report that is gone says so, instead of an empty frame", async () => {
  server.status = 204;
  shown(["a3", "/report.html", "text/html"]);
  fireEvent.click(screen.getByRole("button", { name: /Show the report/ }));
  expect(await screen.findByText(/report\.html is no longer/)).toBeTruthy();
  expect(screen.queryByRole("region")).toBeNull();
});
