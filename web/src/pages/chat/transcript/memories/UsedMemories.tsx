/** Which memories an answer used: folded under it, each with its source, "wrong" and "forget". */
import { CaretRightOutlined, HistoryOutlined } from "@ant-design/icons";
import { Flex, Typography } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { ApiError } from "@/api/errors";
import { memoryPath, useMemory } from "@/api/learned/memories";
import { MemoryButtons } from "@/components/memories/MemoryButtons";
import { memoryState } from "@/components/memories/memoryState";
import { MemoryTags } from "@/components/memories/MemoryTags";
import { SourceLine } from "@/components/memories/SourceLine";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { chatMemoryTexts } from "@/pages/chat/transcript/memories/texts";
import { useSetting } from "@/pages/chat/transcript/setting";
import { useTexts } from "@/i18n";
import "@/pages/chat/transcript/memories/memories.css";

export function UsedMemories({ ids }: { ids: readonly string[] }) {
  const t = useTexts(chatMemoryTexts);
  const [open, setOpen] = useState(false);
  return (
    <div className="used-memories">
      <button type="button" className="line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <CaretRightOutlined className="line-arrow" aria-hidden />
        <HistoryOutlined aria-hidden />
        <span>{t(ids.length === 1 ? "used_one" : "used", { count: ids.length })}</span>
      </button>
      {open && (
        <ul aria-label={t("used_label")}>
          {ids.map((id) => (
            <UsedMemory key={id} id={id} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** As it is now: one that was forgotten since says nothing any more. */
function UsedMemory({ id }: { id: string }) {
  const t = useTexts(chatMemoryTexts);
  const { sessionId, canAnswer } = useSetting();
  const { data, error, refetch } = useMemory(id);
  if (error instanceof ApiError && error.status === 404) {
    return (
      <li>
        <Typography.Text type="secondary">{t("used_gone")}</Typography.Text>
      </li>
    );
  }
  if (!data) return <li>{error && <ErrorNotice error={error} retry={() => void refetch()} />}</li>;
  const { memory, is_source_gone } = data;
  const source = is_source_gone ? { ...memory.source, session_id: null } : memory.source;
  return (
    <li>
      <Flex justify="space-between" gap={8} wrap align="center">
        <div className="used-memory">
          <Flex gap={8} wrap align="center">
            <Link to={memoryPath(id)}>{memory.content}</Link>
            <MemoryTags memory={memory} />
          </Flex>
          <Typography.Text type="secondary" className="small">
            <SourceLine source={source} at={memory.recorded_at} text={memory.content} openSessionId={sessionId} />
          </Typography.Text>
        </div>
        {canAnswer && (
          <Flex gap={8} wrap>
            <MemoryButtons id={id} content={memory.content} mayBeWrong={memoryState(memory) === "current"} />
          </Flex>
        )}
      </Flex>
    </li>
  );
}
