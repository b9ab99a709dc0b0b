/** A memory in a list: what it says, since when and from where, and what can be said of it. */
import { Flex } from "antd";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { memoryPath, type MemoryItem } from "@/api/learned/memories";
import { MemoryButtons } from "@/components/memories/MemoryButtons";
import { memoryState } from "@/components/memories/memoryState";
import { MemoryTags } from "@/components/memories/MemoryTags";
import { SourceLine } from "@/components/memories/SourceLine";
import { Entry } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { listedText } from "@/pages/learned/memory/list/validText";
import { texts } from "@/pages/learned/memory/texts";

interface Props {
  memory: MemoryItem;
  withType?: boolean;
  children?: ReactNode;
}

export function MemoryEntry({ memory, withType, children }: Props) {
  const t = useTexts(texts);
  const { id, content, source, recorded_at, access_count } = memory;
  return (
    <Entry
      title={
        <Flex gap={8} wrap align="center" component="span">
          <Link to={memoryPath(id)} style={{ minWidth: 0, overflowWrap: "break-word" }}>
            {content}
          </Link>
          <MemoryTags memory={memory} withType={withType} />
        </Flex>
      }
      line={
        <>
          <div>
            <SourceLine source={source} at={recorded_at} text={content} />
          </div>
          <div>
            {[listedText(memory, t), access_count > 0 && t("used", { count: formatNumber(access_count) })]
              .filter(Boolean)
              .join(" · ")}
          </div>
        </>
      }
      actions={<MemoryButtons id={id} content={content} mayBeWrong={memoryState(memory) === "current"} />}
    >
      {children}
    </Entry>
  );
}
