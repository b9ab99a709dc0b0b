// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterAll, expect, test, vi } from "vitest";
import { changeLanguage } from "@/i18n";
import { loadDataTexts } from "@/i18n/dataTexts";
import { SkillText } from "@/pages/skills/edit/SkillText";

const sent = vi.hoisted(() => {
  const bodies: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { content } = (await request.json()) as { content: string };
    bodies.push(content);
    const problem = { message: "'naem' is not a field", line: 2, column: 3, is_warning: false };
    if (content === "two of one line") {
      const message = "SKILL.md has no text after the front matter: it teaches nothing.";
      const two = [true, false].map((is_warning) => ({ message, line: 1, column: 1, is_warning }));
      return Response.json({ valid: false, problems: two, skill: null });
    }
    return Response.json({ valid: content === "fine", problems: content === "fine" ? [] : [problem], skill: null });
  });
  return bodies;
});
afterAll(() => void vi.unstubAllGlobals());

function Editor({ text = "---\nnaem: x\n---" }) {
  const [value, setValue] = useState(text);
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

test("of two problems on a line the error comes first and marks it; both are said in the reader's language", async () => {
  changeLanguage("zh");
  await loadDataTexts();
  const { container } = render(<Editor text="two of one line" />);
  const found = await screen.findAllByRole("button", { name: /没有教任何内容/ });
  expect(found.map((each) => each.textContent?.slice(0, 2))).toEqual(["错误", "提示"]);
  expect(container.querySelector("pre span")?.className).toBe("error");
  changeLanguage("en");
});
