/** All memories, the last recorded first; chosen by type, by where they count, and with those of the past. */
import { Button, Checkbox, Flex, Select } from "antd";
import { useSearchParams } from "react-router";
import { MEMORY_TYPES, SCOPE_KINDS } from "@/api/learned/memories";
import { memoryTexts } from "@/components/memories/texts";
import { LinkButton } from "@/components/links/LinkButton";
import { EmptyState } from "@/components/states/EmptyState";
import { NextStep } from "@/components/states/NextStep";
import { Resource } from "@/components/states/Resource";
import { Entries } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { MemoryEntry } from "@/pages/learned/memory/list/MemoryEntry";
import { useMemories } from "@/pages/learned/memory/queries";
import { texts } from "@/pages/learned/memory/texts";

export function MemoryList() {
  const t = useTexts(texts);
  const m = useTexts(memoryTexts);
  const [params, setParams] = useSearchParams();
  const type = MEMORY_TYPES.find((each) => each === params.get("type")) ?? null;
  const kind = SCOPE_KINDS.find((each) => each === params.get("kind")) ?? null;
  const withPast = params.get("past") === "1";
  const memories = useMemories({ type, kind, withPast });
  const choose = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: true });
  };
  return (
    <Flex vertical gap={16}>
      <Flex gap={12} wrap align="center" role="search">
        <Select
          aria-label={t("type")}
          value={type ?? ""}
          onChange={(value) => choose("type", value)}
          style={{ minWidth: 140 }}
          options={[{ value: "", label: t("type_any") }, ...MEMORY_TYPES.map((each) => ({ value: each, label: m(`type_${each}`) }))]}
        />
        <Select
          aria-label={t("kind")}
          value={kind ?? ""}
          onChange={(value) => choose("kind", value)}
          style={{ minWidth: 180 }}
          options={[{ value: "", label: t("kind_any") }, ...SCOPE_KINDS.map((each) => ({ value: each, label: m(`kind_${each}`) }))]}
        />
        <Checkbox checked={withPast} onChange={(event) => choose("past", event.target.checked ? "1" : "")}>
          {t("with_past")}
        </Checkbox>
      </Flex>
      <Resource query={memories} empty={<NoMemories isFiltered={type !== null || kind !== null} />}>
        {(all) => (
          <>
            <Entries>
              {all.map((each) => (
                <MemoryEntry key={each.id} memory={each} />
              ))}
            </Entries>
            {memories.hasNextPage && (
              <Button
                loading={memories.isFetchingNextPage}
                onClick={() => void memories.fetchNextPage()}
                style={{ alignSelf: "start" }}
              >
                {t("more")}
              </Button>
            )}
          </>
        )}
      </Resource>
    </Flex>
  );
}

function NoMemories({ isFiltered }: { isFiltered: boolean }) {
  const t = useTexts(texts);
  if (isFiltered) {
    return (
      <EmptyState title={t("none_such")} action={<LinkButton to="/memory/all">{t("show_all")}</LinkButton>}>
        {t("none_such_hint")}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t("profile_none")}
      action={
        <NextStep>
          <LinkButton to="/memory/new" type="primary">
            {t("new")}
          </LinkButton>
        </NextStep>
      }
    >
      {t("profile_none_hint")}
    </EmptyState>
  );
}
