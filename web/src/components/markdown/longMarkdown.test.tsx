// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Markdown } from "@/components/markdown/Markdown";

const parser = vi.hoisted(() => ({ chars: 0 }));
vi.mock("@ant-design/x-markdown", () => ({
  XMarkdown: ({ content }: { content: string }) => {
    parser.chars += content.length;
    return <p>{content}</p>;
  },
}));

test("a paragraph of 100 KB in small pieces is parsed some six times in all, and whole when it ends", () => {
  const text = "some words of one paragraph ".repeat(3_700);
  const { container, rerender } = render(<Markdown text="" streaming />);
  // Short ones are parsed at each piece; what counts is how it goes on.
  let end = 2_000;
  parser.chars = 0;
  for (; end < text.length; end += 96) rerender(<Markdown text={text.slice(0, end)} streaming />);
  expect(parser.chars).toBeLessThan(6 * text.length);
  expect(container.textContent).toBe(text.slice(0, end - 96));
  rerender(<Markdown text={text} />);
  expect(container.querySelector("p")?.textContent).toBe(text);
  expect(container.querySelector(".markdown-tail")).toBeNull();
});
