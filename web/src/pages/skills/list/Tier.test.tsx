// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterAll, expect, test, vi } from "vitest";
import { meQuery, type Me } from "@/api/me";
import type { SkillInfo } from "@/api/skills";
import { Tier } from "@/pages/skills/list/Tier";

const skills = Array.from({ length: 1_000 }, (_, at) => {
  const texts = { id: `s${at}`, name: `skill-${at}`, display_name: `skill-${at}`, description: "Does it", version: "1.0.0" };
  return { ...texts, tags: [], missing_tools: [], status: "active", scope: "system", is_system_skill: true } as unknown as SkillInfo;
});

vi.hoisted(() => vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ items: [] }))));
afterAll(() => void vi.unstubAllGlobals());

test("of a thousand skills a page is drawn, and the search finds any of them", async () => {
  const queries = new QueryClient();
  queries.setQueryData(meQuery.queryKey, { role: "viewer" } as Me);
  const { container } = render(
    <QueryClientProvider client={queries}>
      <MemoryRouter>
        <Tier skills={skills} all={skills} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(container.querySelectorAll("li")).toHaveLength(50);
  expect(screen.getByText("Show 50 more")).toBeTruthy();
  fireEvent.change(screen.getByPlaceholderText("Search the skills"), { target: { value: "skill-99" } });
  await screen.findByText("11 of 1,000");
  expect(screen.getByText("skill-999")).toBeTruthy();
  expect(screen.queryByText(/more$/)).toBeNull();
}, 20_000);
