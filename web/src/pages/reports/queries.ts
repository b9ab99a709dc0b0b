import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, BASE_PATH, dataOf, type Schemas } from "@/api/client";
import { everyPage } from "@/api/paging";
import { usePreferences } from "@/app/state/preferences";

export type Run = Schemas["ReportRunInfo"];
export type Schedule = Schemas["ScheduleInfo"];

const KEY = ["reports"];
const LOOK_MS = 1_500;

/** The user's own reports in the current project. */
export function useReports() {
  const projectId = usePreferences((preferences) => preferences.projectId);
  return useQuery({
    queryKey: [...KEY, "all"],
    queryFn: () =>
      everyPage((after) => dataOf(api.GET("/api/v1/reports", { params: { query: { after, limit: 500 } } }))),
    select: (all) => all.filter((report) => report.project_id === projectId),
  });
}

export const useReport = (report_id: string) =>
  useQuery({
    queryKey: [...KEY, report_id],
    queryFn: () => dataOf(api.GET("/api/v1/reports/{report_id}", { params: { path: { report_id } } })),
  });

export function useCreateReport() {
  const queries = useQueryClient();
  const project_id = usePreferences((preferences) => preferences.projectId);
  return useMutation({
    mutationFn: (definition: string) => dataOf(api.POST("/api/v1/reports", { body: { definition, project_id } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useChangeReport(report_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ReportChange"]) =>
      dataOf(api.PATCH("/api/v1/reports/{report_id}", { params: { path: { report_id } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteReport(report_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE("/api/v1/reports/{report_id}", { params: { path: { report_id } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...KEY, "all"] }),
  });
}

/** The newest first; while one is under way, the list is looked at again. */
export const useRuns = (report_id: string) =>
  useQuery({
    queryKey: [...KEY, report_id, "runs"],
    queryFn: () =>
      everyPage((after) =>
        dataOf(
          api.GET("/api/v1/reports/{report_id}/runs", {
            params: { path: { report_id }, query: { after, limit: 500 } },
          }),
        ),
      ),
    select: (runs) => [...runs].reverse(),
    refetchInterval: ({ state }) => (state.data?.some((run) => run.status === "running") ? LOOK_MS : false),
  });

export function useRunReport(report_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ReportRunAsked"]) =>
      dataOf(
        api.POST("/api/v1/reports/{report_id}/run", {
          params: { path: { report_id }, header: { prefer: "respond-async" } },
          body,
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: [...KEY, report_id, "runs"] }),
  });
}

export function fileAddress(run: Run, name: string, preview = false): string {
  const query = new URLSearchParams({ name, ...(preview ? { preview: "true" } : {}) });
  return `${BASE_PATH}/api/v1/reports/${run.report_id}/runs/${run.run_id}/file?${query}`;
}

export const useSchedules = (report_id: string) =>
  useQuery({
    queryKey: [...KEY, report_id, "schedules"],
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/reports/{report_id}/schedules", { params: { path: { report_id } } }))).items,
  });

export function useSaveSchedule(report_id: string, schedule: Schedule | null) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ScheduleCreate"]) =>
      schedule
        ? dataOf(
            api.PATCH("/api/v1/reports/{report_id}/schedules/{schedule_id}", {
              params: { path: { report_id, schedule_id: schedule.schedule_id } },
              body: { ...body, version: schedule.version },
            }),
          )
        : dataOf(api.POST("/api/v1/reports/{report_id}/schedules", { params: { path: { report_id } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...KEY, report_id, "schedules"] }),
  });
}

export function useChangeSchedule({ report_id, schedule_id }: Schedule) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ScheduleChange"]) =>
      dataOf(
        api.PATCH("/api/v1/reports/{report_id}/schedules/{schedule_id}", {
          params: { path: { report_id, schedule_id } },
          body,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...KEY, report_id, "schedules"] }),
  });
}

export function useDeleteSchedule({ report_id, schedule_id }: Schedule) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api.DELETE("/api/v1/reports/{report_id}/schedules/{schedule_id}", {
        params: { path: { report_id, schedule_id } },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...KEY, report_id, "schedules"] }),
  });
}
