/** One memory: what it says, the words it rests on, what was true before and after it, and its form. */
import { Alert, Flex, Typography } from "antd";
import { Link, useNavigate, useParams } from "react-router";
import type { Schemas } from "@/api/client";
import { memoryPath, useMemory } from "@/api/learned/memories";
import { useThingTitle } from "@/app/navigation/title";
import { MemoryButtons } from "@/components/memories/MemoryButtons";
import { memoryState } from "@/components/memories/memoryState";
import { MemoryTags } from "@/components/memories/MemoryTags";
import { Quote } from "@/components/memories/Quote";
import { SourceLine } from "@/components/memories/SourceLine";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { EditMemory } from "@/pages/learned/memory/detail/EditMemory";
import { History } from "@/pages/learned/memory/detail/History";
import { validText } from "@/pages/learned/memory/list/validText";
import { texts } from "@/pages/learned/memory/texts";

export function MemoryPage() {
  const t = useTexts(texts);
  const { memoryId = "" } = useParams();
  const memory = useMemory(memoryId);
  return (
    <Flex vertical gap={12}>
      <Link to="/memory/all">← {t("all")}</Link>
      <Resource query={memory}>{(found) => <Open key={found.memory.id} {...found} />}</Resource>
    </Flex>
  );
}

function Open({ memory, history, is_source_gone }: Schemas["MemoryDetail"]) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { id, content, source, recorded_at } = memory;
  const isCurrent = memoryState(memory) === "current";
  useThingTitle(content);
  return (
    <Flex vertical gap={20}>
      <Flex justify="space-between" gap={12} wrap align="start">
        <div style={{ minWidth: 0, flex: "1 1 320px" }}>
          <Typography.Title level={2} style={{ fontSize: 20, margin: 0, overflowWrap: "break-word" }}>
            {content}
          </Typography.Title>
          <Flex gap={8} wrap style={{ marginTop: 8 }}>
            <MemoryTags memory={memory} />
          </Flex>
          <Typography.Paragraph type="secondary" style={{ margin: "8px 0 0" }}>
            {validText(memory, t)}
          </Typography.Paragraph>
        </div>
        <Flex gap={8} wrap>
          <MemoryButtons
            id={id}
            content={content}
            mayBeWrong={isCurrent}
            onWrong={(replacement) => replacement && void navigate(memoryPath(replacement))}
            onForgotten={() => void navigate("/memory/all")}
          />
        </Flex>
      </Flex>
      <section aria-label={t("source")}>
        <Typography.Title level={3} style={{ fontSize: 16, marginTop: 0 }}>
          {t("source")}
        </Typography.Title>
        <Typography.Text type="secondary">
          <SourceLine source={is_source_gone ? { ...source, session_id: null } : source} at={recorded_at} text={content} />
        </Typography.Text>
        <Quote text={source.quote} />
        {is_source_gone && <Alert type="info" showIcon title={t("source_gone")} style={{ marginTop: 8 }} />}
      </section>
      {history.length > 0 && <History memories={[...history, memory]} openId={id} />}
      {isCurrent && <EditMemory memory={memory} />}
    </Flex>
  );
}
