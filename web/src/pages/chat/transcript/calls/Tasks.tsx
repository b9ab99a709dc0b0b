/** Sub-agents side by side, a card for each run. */
import { Typography } from "antd";
import type { ReactNode } from "react";
import { Calls } from "@/pages/chat/transcript/calls/Calls";
import { TaskCard } from "@/pages/chat/transcript/calls/TaskCard";
import type { Row, Task } from "@/pages/chat/transcript/rows";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { CallItem } from "@/stream/conversation";
import { useTexts } from "@/i18n";

interface Props {
  tasks: readonly Task[];
  shared: readonly CallItem[];
  /** Draws the steps of a sub-agent. */
  draw: (rows: readonly Row[]) => ReactNode;
}

export function Tasks({ tasks, shared, draw }: Props) {
  const t = useTexts(transcriptTexts);
  return (
    <>
      <div className="tasks">
        {tasks.map((task) => (
          <TaskCard key={task.key} task={task} draw={draw} />
        ))}
      </div>
      {shared.length > 0 && (
        <>
          <Typography.Text type="secondary" className="small">
            {t("shared_calls", { name: [...new Set(shared.map((call) => call.subagent))].join(", ") })}
          </Typography.Text>
          <Calls calls={shared} />
        </>
      )}
    </>
  );
}
