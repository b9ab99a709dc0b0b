import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { usePreferences } from "@/app/state/preferences";

const LATEST = 6;
const REPORTS_LOOKED_AT = 30;
const POLL_MS = 10_000;

export const useProjectId = () => usePreferences((state) => state.projectId) ?? undefined;

export const useRecentSessions = () => {
  const project_id = useProjectId();
  return useQuery({
    queryKey: ["sessions", "recent", project_id],
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/sessions", { params: { query: { project_id, limit: LATEST } } })))
        .items,
    refetchInterval: POLL_MS,
  });
};

export const useOpenRuns = () => {
  const project_id = useProjectId();
  return useQuery({
    queryKey: ["runs", "open", project_id],
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/runs", { params: { query: { project_id, only_open: true } } })))
        .items,
    refetchInterval: POLL_MS,
  });
};

export const useSources = () => {
  const project_id = useProjectId();
  return useQuery({
    queryKey: ["overview", "sources", project_id],
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/data/sources", { params: { query: { project_id } } }))).items,
  });
};

export const useWorkspace = () =>
  useQuery({
    queryKey: ["workspaces", "default"],
    queryFn: () => dataOf(api.GET("/api/v1/workspaces/default")),
  });

export interface Due {
  report: Schemas["ReportInfo"];
  schedule: Schemas["ScheduleInfo"];
}

/** Schedules are kept with their reports; the soonest come first. */
export const useDueReports = () => {
  const project_id = useProjectId();
  return useQuery({
    queryKey: ["overview", "due", project_id],
    queryFn: async (): Promise<Due[]> => {
      const query = { limit: REPORTS_LOOKED_AT };
      const { items } = await dataOf(api.GET("/api/v1/reports", { params: { query } }));
      const here = items.filter((each) => project_id === undefined || each.project_id === project_id);
      const found = await Promise.all(here.map(schedulesOf));
      return found
        .flat()
        .filter(({ schedule }) => schedule.is_active)
        .toSorted((a, b) => a.schedule.next_at.localeCompare(b.schedule.next_at))
        .slice(0, LATEST);
    },
    staleTime: 60_000,
  });
};

async function schedulesOf(report: Schemas["ReportInfo"]): Promise<Due[]> {
  const path = { report_id: report.report_id };
  const { items } = await dataOf(
    api.GET("/api/v1/reports/{report_id}/schedules", { params: { path } }),
  );
  return items.map((schedule) => ({ report, schedule }));
}

export const useUsage = (since: string, until: string) => {
  const project_id = useProjectId();
  return useQuery({
    queryKey: ["overview", "usage", since, until, project_id],
    queryFn: async () =>
      (
        await dataOf(
          api.GET("/api/v1/usage", { params: { query: { by: "day", since, until, project_id } } }),
        )
      ).usage,
  });
};
