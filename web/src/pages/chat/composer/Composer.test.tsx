// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createEvent, fireEvent, render, screen } from "@testing-library/react";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { Composer } from "@/pages/chat/composer/Composer";
import { useDrafts } from "@/pages/chat/composer/outbox/drafts";

const server = vi.hoisted(() => {
  const stored: File[] = [];
  // The typed client gives a request, the upload an address and a form.
  vi.stubGlobal("fetch", (asked: Request | string, init: { body: FormData }) => {
    if (typeof asked !== "string") return Promise.resolve(Response.json({ workspace_id: "w" }));
    const file = init.body.get("file") as File;
    stored.push(file);
    return Promise.resolve(Response.json([{ path: `/uploads/${file.name}` }]));
  });
  return { stored };
});
afterAll(() => void vi.unstubAllGlobals());
beforeEach(() => {
  server.stored.length = 0;
  useDrafts.setState({ drafts: {} });
});

const onSend = vi.fn<(text: string) => boolean>(() => true);

function paste(files: File[]): Event {
  const props = { draftKey: "s", assistantId: null, projectId: null, running: false, onStop: () => undefined, tools: null };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Composer {...props} onSend={onSend} />
    </QueryClientProvider>,
  );
  const area = screen.getByRole("textbox", { name: "Your message" });
  const event = createEvent.paste(area, { clipboardData: { files, getData: () => "words" } });
  fireEvent(area, event);
  return event;
}

test("a picture that is pasted is put into the workspace and named in the message", async () => {
  const event = paste([new File(["…"], "image.png", { type: "image/png" })]);
  expect(event.defaultPrevented).toBe(true);
  await screen.findByText("/uploads/image.png");
  expect(server.stored.map(({ name, type }) => [name, type])).toEqual([["image.png", "image/png"]]);
  fireEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(onSend).toHaveBeenCalledExactlyOnceWith('Files in the workspace: @"/uploads/image.png"');
  expect(screen.queryByText("/uploads/image.png")).toBeNull();
});

test("words that are pasted are the browser's", () => {
  expect(paste([]).defaultPrevented).toBe(false);
  expect(server.stored).toEqual([]);
});
