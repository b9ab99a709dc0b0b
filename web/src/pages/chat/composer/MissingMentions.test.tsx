// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { changeLanguage } from "@/i18n";
import { Composer } from "@/pages/chat/composer/Composer";
import { useDrafts } from "@/pages/chat/composer/outbox/drafts";

const server = vi.hoisted(() => {
  const known = { asked: [] as unknown[], missing: [] as string[] };
  // Before the client is made, which keeps the `fetch` it finds.
  vi.stubGlobal("fetch", async (request: Request) => {
    known.asked.push(await request.json());
    return Response.json({ names: known.missing });
  });
  return known;
});
afterAll(() => void vi.unstubAllGlobals());
beforeEach(() => {
  changeLanguage("en");
  server.asked = [];
  server.missing = ["sales.csv"];
  useDrafts.getState().write("s", "");
});

function show() {
  const onSend = vi.fn<(text: string) => boolean>(() => true);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Composer
        draftKey="s"
        assistantId="a"
        projectId="p"
        running={false}
        onSend={onSend}
        onStop={() => undefined}
        tools={null}
      />
    </QueryClientProvider>,
  );
  return onSend;
}

const area = () => screen.getByRole("textbox");
const type = (value: string) => fireEvent.change(area(), { target: { value } });
const send = () => fireEvent.keyDown(area(), { key: "Enter" });

test("a name that nothing has is said before the message is sent, and it can be sent", async () => {
  const onSend = show();
  type("look at @sales.csv");
  expect(await screen.findByText(/There is no sub-agent, file.*: @sales\.csv\. Check the name/)).toBeTruthy();
  expect(server.asked).toEqual([{ text: "look at @sales.csv", assistant_id: "a", project_id: "p" }]);
  expect(onSend).not.toHaveBeenCalled();
  send();
  expect(onSend).toHaveBeenCalledWith("look at @sales.csv");
});

test("what is no longer named is no longer said", async () => {
  show();
  type("look at @sales.csv");
  await screen.findByText(/There is no sub-agent, file/);
  server.missing = [];
  type("look at @sale");
  await waitFor(() => expect(screen.queryByText(/There is no sub-agent, file/)).toBeNull());
});

test("whoever sends at once is told as well", async () => {
  const onSend = show();
  type("look at @sales.csv");
  send();
  expect(onSend).toHaveBeenCalledTimes(1);
  expect(await screen.findByText(/There is no sub-agent, file.*@sales\.csv/)).toBeTruthy();
});

test("the note is in Chinese in a Chinese console", async () => {
  changeLanguage("zh");
  show();
  type("看看 @sales.csv");
  expect(await screen.findByText(/此处没有.*@sales\.csv/)).toBeTruthy();
});

test("a message without a name asks nothing", async () => {
  // A draft that stands there already is not waited for.
  useDrafts.getState().write("s", "hello");
  show();
  type("hello @sales.csv");
  await screen.findByText(/There is no sub-agent, file/);
  expect(server.asked).toEqual([{ text: "hello @sales.csv", assistant_id: "a", project_id: "p" }]);
});
