// @vitest-environment happy-dom
import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { withFiles } from "@/pages/chat/session/attached";
import { Message } from "@/pages/chat/transcript/Message";
import type { StartItem } from "@/stream/conversation";

const start = { kind: "start", messageId: "m", at: 0 } as unknown as StartItem;
const show = (text: string) => render(<Message start={start} text={text} at={0} />);

test("the files of a message are shown below its words, by their names", () => {
  show(withFiles("What sold `best`?", ["/uploads/2025/sales.csv", "/uploads/shot.png"]));
  const files = within(screen.getByRole("list", { name: "Files" })).getAllByRole("listitem");
  expect(files.map((each) => [each.textContent?.trim(), each.title])).toEqual([
    ["sales.csv", "/uploads/2025/sales.csv"],
    ["shot.png", "/uploads/shot.png"],
  ]);
  const said = screen.getByRole("group", { name: "You" }).textContent;
  expect(said).toContain("What sold `best`?");
  expect(said).not.toMatch(/Files in the workspace|`\/uploads|@"/);
});

test("a message without files has no list of them", () => {
  show("Look at `orders`");
  expect(screen.getByRole("group", { name: "You" }).textContent).toContain("Look at `orders`");
  expect(screen.queryByRole("list")).toBeNull();
});
