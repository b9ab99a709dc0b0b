/** Says on every page that something waits: in the title, and to who looks elsewhere by a notification. */
import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { api, dataOf } from "@/api/client";
import { useRequests } from "@/api/requests";
import { usePreferences } from "@/app/state/preferences";
import { appTexts } from "@/app/texts";
import { useTabTitle } from "@/app/navigation/title";
import { say } from "@/i18n";

export function Attention() {
  const notify = usePreferences((state) => state.notify);
  const requests = useRequests().data;
  const navigate = useNavigate();
  useTabTitle(requests?.length ?? 0);

  const told = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!requests) return;
    // What waited already when the page was opened is in front of the person.
    const fresh = told.current ? requests.filter((each) => !told.current?.has(each.interrupt_id)) : [];
    told.current = new Set(requests.map((each) => each.interrupt_id));
    const allowed = "Notification" in window && Notification.permission === "granted";
    if (!notify || !allowed || !document.hidden) return;
    // One for a session, however much it asks.
    for (const sessionId of new Set(fresh.map((each) => each.session_id))) {
      void tell(sessionId, () => void navigate(`/chat/${sessionId}`));
    }
  }, [requests, notify, navigate]);
  return null;
}

async function tell(sessionId: string, open: () => void): Promise<void> {
  const params = { path: { session_id: sessionId } };
  const session = await dataOf(api.GET("/api/v1/sessions/{session_id}", { params })).catch(() => null);
  const body = session?.title ?? "";
  const shown = new Notification(say(appTexts, "notify_title"), { body, tag: sessionId });
  shown.onclick = () => {
    window.focus();
    open();
    shown.close();
  };
}
