/** What ran: a timeline of runs, and of each run a waterfall. */
import { useParams } from "react-router";
import { RunDetail } from "./RunDetail";
import { RunList } from "./RunList";

export default function View() {
  const { runId } = useParams();
  return runId ? <RunDetail key={runId} runId={runId} /> : <RunList />;
}
