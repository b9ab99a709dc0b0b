// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { meQuery, type Me } from "@/api/me";
import { NextStep } from "@/components/states/NextStep";
import { ResultGrid } from "@/components/tables/ResultGrid";

function shown(role: Me["role"], truncated: boolean, mayExportAll = role !== "viewer") {
  const queries = new QueryClient();
  queries.setQueryData(meQuery.queryKey, { user_id: "u", tenant_id: "t", role } as Me);
  return render(
    <QueryClientProvider client={queries}>
      <MemoryRouter>
        <ResultGrid
          resultId="r_1"
          columns={[{ name: "a", kind: "integer" }]}
          rows={[[1]]}
          total={1}
          truncated={truncated}
          mayExportAll={mayExportAll}
        />
        <NextStep><button>Make one</button></NextStep>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const links = () => screen.getAllByRole("link").map((link) => link.getAttribute("href") ?? "");
const exports = () => links().filter((to) => to.includes("/export"));

test("a member may download all rows of a cut result, or those that are kept", () => {
  shown("member", true);
  expect(exports().filter((to) => to.includes("rows=kept"))).toHaveLength(3);
  expect(exports().filter((to) => !to.includes("rows=kept"))).toHaveLength(3);
});

test("a viewer, who may not run the query again, is offered the rows that are kept, and told why", () => {
  shown("viewer", true);
  expect(exports()).toHaveLength(3);
  expect(exports().every((to) => to.includes("rows=kept"))).toBe(true);
  expect(document.body.textContent).toContain("all rows are for members");
});

test("a member is offered the kept rows of another person's cut result, and told why", () => {
  shown("member", true, false);
  expect(exports()).toHaveLength(3);
  expect(exports().every((to) => to.includes("rows=kept"))).toBe(true);
  expect(document.body.textContent).toContain("all rows are for the person who asked");
});

test("a viewer downloads a result that is not cut", () => {
  shown("viewer", false);
  expect(exports()).toHaveLength(3);
});

test("an empty page leads a viewer to the overview, a member to the next step", () => {
  const { unmount } = shown("viewer", false);
  expect(screen.queryByRole("button", { name: "Make one" })).toBeNull();
  expect(links()).toContain("/overview");
  unmount();
  shown("member", false);
  expect(screen.getByRole("button", { name: "Make one" })).toBeTruthy();
});
