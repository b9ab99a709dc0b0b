/** One row; drawn again only when what it shows has changed. */
import { memo, Suspense } from "react";
import { lazyPart } from "@/pages/chat/lazyPart";
import { AgentLine } from "@/pages/chat/transcript/lines/AgentLine";
import { Answer } from "@/pages/chat/transcript/answer/Answer";
import { Calls } from "@/pages/chat/transcript/calls/Calls";
import { FileChanges } from "@/pages/chat/transcript/calls/FileChanges";
import { Tasks } from "@/pages/chat/transcript/calls/Tasks";
import { EndLine } from "@/pages/chat/transcript/lines/EndLine";
import { Message } from "@/pages/chat/transcript/Message";
import { NoticeLine } from "@/pages/chat/transcript/lines/NoticeLine";
import { RequestLine } from "@/pages/chat/transcript/lines/RequestLine";
import { sameRow, type Row } from "@/pages/chat/transcript/rows";
import { Thought } from "@/pages/chat/transcript/lines/Thought";

const MemoryLine = lazyPart("MemoryLine", () => import("@/pages/chat/transcript/memories/MemoryLine"));
const PlanCard = lazyPart("PlanCard", () => import("@/pages/chat/transcript/lines/PlanCard"));

interface Props {
  row: Row;
  /** The user message, for the row of a message. */
  text: string | undefined;
  at: number | undefined;
}

export const RowView = memo(
  ({ row, text, at }: Props) => (
    <div className={`transcript-row row-${row.kind === "item" ? row.item.kind : row.kind}`} data-key={row.key}>
      <Content row={row} text={text} at={at} />
    </div>
  ),
  (a, b) => a.text === b.text && a.at === b.at && sameRow(a.row, b.row),
);
RowView.displayName = "Row";

function Content({ row, text, at }: Props) {
  switch (row.kind) {
    case "message":
      return <Message start={row.start} text={text} at={at} />;
    case "calls":
      return <Calls calls={row.calls} />;
    case "tasks":
      return <Tasks tasks={row.tasks} shared={row.shared} draw={drawn} />;
    default:
      return <ItemContent row={row} />;
  }
}

/** The steps of a sub-agent: rows like those of the conversation. */
const drawn = (rows: readonly Row[]) =>
  rows.map((row) => <RowView key={row.key} row={row} text={undefined} at={undefined} />);

function ItemContent({ row: { item, run } }: { row: Extract<Row, { kind: "item" }> }) {
  switch (item.kind) {
    case "text":
      return <Answer item={item} />;
    case "thought":
      return <Thought item={item} />;
    case "request":
      return <RequestLine item={item} />;
    case "notice":
      return <NoticeLine item={item} />;
    case "agent":
      return <AgentLine item={item} />;
    case "memory":
      return (
        <Suspense>
          <MemoryLine event={item.event} />
        </Suspense>
      );
    case "file":
      return <FileChanges files={[item.change]} />;
    case "plan":
      return (
        <Suspense>
          <PlanCard item={item} />
        </Suspense>
      );
    case "end":
      return <EndLine item={item} run={run} />;
    default:
      return item satisfies never;
  }
}
