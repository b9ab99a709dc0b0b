/** Somebody goes, or goes over to another tenant: the page begins anew without what was theirs. */
import { forgetPerson } from "@/app/state/kept";
import { usePreferences } from "@/app/state/preferences";

export function beginAnew(): void {
  usePreferences.getState().set({ projectId: null });
  window.location.reload();
}

export function leave(): void {
  forgetPerson();
  beginAnew();
}
