/** What ran: a timeline of runs, and of each run a waterfall. */
import { useParams } from "react-router";
import { RunDetail } from "@/pages/activity/RunDetail";
import { RunList } from "@/pages/activity/RunList";

export default function View() {
  const { runId } = useParams();
  return runId ? <RunDetail key={runId} runId={runId} /> : <RunList />;
}
