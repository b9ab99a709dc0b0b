// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { expect, test, vi } from "vitest";
import { meQuery, type Me } from "@/api/me";
import { useCommands } from "@/app/palette/commands";
import { GlobalKeys } from "@/app/palette/GlobalKeys";


function Page({ stop }: { stop: () => void }) {
  useCommands([{ id: "stop", title: "Stop", group: "Chat", keys: "escape", run: stop }]);
  return <p>{useLocation().pathname}</p>;
}

function shown(role: Me["role"] = "member") {
  const stop = vi.fn();
  const queries = new QueryClient();
  queries.setQueryData(meQuery.queryKey, { user_id: "u", tenant_id: "t", role } as Me);
  const view = render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={["/files"]}>
        <GlobalKeys toggleSidebar={() => undefined} />
        <Page stop={stop} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...view, stop };
}

test("a new chat and the settings are one key away from every page", () => {
  const { container } = shown();
  fireEvent.keyDown(document.body, { key: "O", ctrlKey: true, shiftKey: true });
  expect(container.textContent).toBe("/chat");
  fireEvent.keyDown(document.body, { key: ",", ctrlKey: true });
  expect(container.textContent).toBe("/settings");
});

test("a viewer, who cannot begin one, stays", () => {
  const { container } = shown("viewer");
  fireEvent.keyDown(document.body, { key: "O", ctrlKey: true, shiftKey: true });
  expect(container.textContent).toBe("/files");
});

test("Esc stops from anywhere, but belongs to a dialog that is open", () => {
  const { stop } = shown();
  const dialog = document.createElement("div");
  dialog.setAttribute("role", "dialog");
  dialog.checkVisibility = () => true;
  document.body.append(dialog);
  // The dialog closes itself before the page hears of the key.
  const close = () => dialog.remove();
  document.body.addEventListener("keydown", close);
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(stop).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(stop).toHaveBeenCalledOnce();
  document.body.removeEventListener("keydown", close);
});
