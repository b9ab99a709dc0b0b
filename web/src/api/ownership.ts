/** Who may change what a tenant or a project has taught its agents: admins, and a project's owner. */
import { isAdmin, mayWrite, useMe } from "@/api/me";
import { useProjects } from "@/api/projects";

/** Says whether the person may change what belongs to a project; null is the whole tenant. */
export function useMayChange(): (projectId: string | null) => boolean {
  const me = useMe();
  const projects = useProjects().data ?? [];
  return (projectId) =>
    isAdmin(me) ||
    (mayWrite(me) && projects.some((each) => each.project_id === projectId && each.owner_id === me.user_id));
}
