/** What kind of memory it is, where it counts, and whether it still holds. */
import { Tag } from "antd";
import type { MemoryItem } from "@/api/learned/memories";
import { memoryState } from "@/components/memories/memoryState";
import { memoryTexts } from "@/components/memories/texts";
import { useTexts } from "@/i18n";

const COLOURS = { fact: "blue", preference: "purple", decision: "gold", context: "cyan" } as const;

interface Props {
  memory: MemoryItem;
  /** Left out where a list is of one type. */
  withType?: boolean;
}

export function MemoryTags({ memory, withType = true }: Props) {
  const t = useTexts(memoryTexts);
  const { type, scope, is_tainted } = memory;
  const state = memoryState(memory);
  return (
    <>
      {withType && <Tag color={COLOURS[type]}>{t(`type_${type}`)}</Tag>}
      {scope.kind !== "user" && <Tag>{t(`kind_${scope.kind}`)}</Tag>}
      {state !== "current" && <Tag color={state === "wrong" ? "red" : undefined}>{t(`state_${state}`)}</Tag>}
      {is_tainted && (
        <Tag color="orange" title={t("tainted_hint")}>
          {t("tainted")}
        </Tag>
      )}
    </>
  );
}
