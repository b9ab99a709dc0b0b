// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterAll, expect, test, vi } from "vitest";
import { SkillText } from "@/pages/skills/edit/SkillText";

const sent = vi.hoisted(() => {
  const bodies: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { content } = (await request.json()) as { content: string };
    bodies.push(content);
    const problem = { message: "'naem' is not a field", line: 2, column: 3, is_warning: false };
    return Response.json({ valid: content === "fine", problems: content === "fine" ? [] : [problem], skill: null });
  });
  return bodies;
});
afterAll(() => void vi.unstubAllGlobals());

function Editor() {
  const [value, setValue] = useState("---\nnaem: x\n---");
  return (
    <QueryClientProvider client={new QueryClient()}>
      <SkillText value={value} change={setValue} />
    </QueryClientProvider>
  );
}

test("what is written is checked when it rests; a problem says where it is and leads there", async () => {
  render(<Editor />);
  const problem = await screen.findByRole("button", { name: /2:3.*naem/ });
  fireEvent.click(problem);
  const area = screen.getByRole<HTMLTextAreaElement>("textbox");
  expect(area.selectionStart).toBe("---\nna".length);
  for (const text of ["f", "fi", "fine"]) fireEvent.change(area, { target: { value: text } });
  expect(await screen.findByText(/Nothing to complain about/)).toBeTruthy();
  expect(sent).toEqual(["---\nnaem: x\n---", "fine"]);
});
