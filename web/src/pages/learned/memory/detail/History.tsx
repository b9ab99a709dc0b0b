/** What was true of the same thing, one after the other: what was replaced, what was wrong. */
import { Flex, Timeline, Typography } from "antd";
import { Link } from "react-router";
import { memoryPath, type MemoryItem } from "@/api/learned/memories";
import { memoryState } from "@/components/memories/memoryState";
import { MemoryTags } from "@/components/memories/MemoryTags";
import { useTexts } from "@/i18n";
import { validText } from "@/pages/learned/memory/list/validText";
import { texts } from "@/pages/learned/memory/texts";

interface Props {
  memories: readonly MemoryItem[];
  openId: string;
}

export function History({ memories, openId }: Props) {
  const t = useTexts(texts);
  const inOrder = memories.toSorted(
    (a, b) => a.valid_from.localeCompare(b.valid_from) || a.recorded_at.localeCompare(b.recorded_at),
  );
  return (
    <section aria-label={t("history")}>
      <Typography.Title level={3} style={{ fontSize: 16, marginTop: 0 }}>
        {t("history")}
      </Typography.Title>
      <Timeline
        items={inOrder.map((each) => ({
          key: each.id,
          color: memoryState(each) === "current" ? "green" : "gray",
          content: (
            <>
              <Flex gap={8} wrap align="center">
                {each.id === openId ? (
                  <strong style={{ minWidth: 0, overflowWrap: "break-word" }}>{each.content}</strong>
                ) : (
                  <Link to={memoryPath(each.id)} style={{ minWidth: 0, overflowWrap: "break-word" }}>
                    {each.content}
                  </Link>
                )}
                <MemoryTags memory={each} withType={false} />
              </Flex>
              <Typography.Text type="secondary">{validText(each, t)}</Typography.Text>
            </>
          ),
        }))}
      />
    </section>
  );
}
