import { useQuery } from "@tanstack/react-query";
import { App, Select } from "antd";
import { useEffect } from "react";
import { api, dataOf } from "@/api/client";
import { ApiError } from "@/api/errors";
import { projectsKey, useProjects } from "@/api/projects";
import { usePreferences } from "@/app/state/preferences";
import { appTexts } from "@/app/texts";
import { useTexts } from "@/i18n";

/** The project everything on the pages belongs to; hidden while there is none to choose. */
export default function ProjectPicker() {
  const t = useTexts(appTexts);
  const { projectId, set } = usePreferences();
  const items = useProjects().data ?? [];
  useLeaveWhatIsGone();
  if (items.length === 0) return null;
  return (
    <Select
      aria-label={t("project")}
      value={items.some((each) => each.project_id === projectId) ? projectId : ""}
      onChange={(value) => set({ projectId: value || null })}
      style={{ minWidth: 140, maxWidth: 220 }}
      options={[
        { value: "", label: t("own_work") },
        ...items.map((each) => ({ value: each.project_id, label: each.name })),
      ]}
    />
  );
}

/** A project that another user deleted would make every page fail, with no way out. */
export function useLeaveWhatIsGone(): void {
  const t = useTexts(appTexts);
  const { message } = App.useApp();
  const { projectId, set } = usePreferences();
  const list = useProjects().data;
  const missing = list !== undefined && !list.some((each) => each.project_id === projectId);
  const { error } = useQuery({
    queryKey: [...projectsKey, "chosen", projectId],
    queryFn: () => {
      const params = { path: { project_id: projectId ?? "" } };
      return dataOf(api.GET("/api/v1/projects/{project_id}", { params }));
    },
    // The list names the first thousands only, so what is not in it may still be there.
    enabled: projectId !== null && missing,
    retry: false,
  });
  const gone = error instanceof ApiError && error.status === 404;
  useEffect(() => {
    if (!gone || projectId === null) return;
    set({ projectId: null });
    void message.warning({ key: "project gone", content: t("project_gone"), duration: 10 });
  }, [gone, projectId]);
}
