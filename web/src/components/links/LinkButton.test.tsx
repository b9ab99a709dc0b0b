// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { expect, test } from "vitest";
import { meQuery, type Me } from "@/api/me";
import { LinkButton } from "@/components/links/LinkButton";

const Place = () => <output>{useLocation().pathname}</output>;

function shown(role: Me["role"], to: string) {
  const queries = new QueryClient();
  queries.setQueryData(meQuery.queryKey, { user_id: "u", tenant_id: "t", role } as Me);
  return render(
    <QueryClientProvider client={queries}>
      <MemoryRouter>
        <LinkButton to={to}>Go</LinkButton>
        <Place />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test("it is one link, and leads there without loading the console again", () => {
  shown("member", "/chat");
  const stops = document.querySelectorAll("a, button");
  expect(stops).toHaveLength(1);
  fireEvent.click(screen.getByRole("link", { name: "Go" }));
  expect(screen.getByRole("status").textContent).toBe("/chat");
});

test.each(["/chat", "/data/sql?source=shop", "/data/table?source=shop&table=t", "/reports/new"])(
  "a viewer, who can do nothing at %s, is not led there",
  (to) => {
    const { unmount } = shown("viewer", to);
    expect(screen.queryByRole("link")).toBeNull();
    unmount();
    shown("member", to);
    expect(screen.getByRole("link")).toBeTruthy();
  },
);

test.each(["/", "/chat/s1", "/activity", "/reports/r1", "/usage"])("a viewer is led to %s", (to) => {
  shown("viewer", to);
  expect(screen.getByRole("link")).toBeTruthy();
});
