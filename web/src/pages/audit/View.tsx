import { Button, Table } from "antd";
import { useDeferredValue, useState } from "react";
import { useNames } from "@/api/members";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { JsonView } from "@/components/code/JsonView";
import { PageFrame } from "@/components/page/PageFrame";
import { useTexts } from "@/i18n";
import { formatTime } from "@/i18n/format";
import { ChainCheck } from "@/pages/audit/ChainCheck";
import { Filters } from "@/pages/audit/Filters";
import { pageTexts } from "@/pages/audit/page.texts";
import { useEntries, type Entry, type Filter } from "@/pages/audit/queries";
import { texts } from "@/pages/audit/texts";

const EVERYTHING: Filter = { span: "ever" };

export default function AuditView() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const [filter, setFilter] = useState<Filter>(EVERYTHING);
  const entries = useEntries(useDeferredValue(filter));
  const found = entries.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <PageFrame title={p("title")} hint={t("hint")}>
      <ChainCheck />
      <Filters filter={filter} set={setFilter} />
      {entries.error && <ErrorNotice error={entries.error} retry={() => void entries.refetch()} />}
      <Entries entries={found} loading={entries.isPending} reset={() => setFilter(EVERYTHING)} />
      {entries.hasNextPage && (
        <Button
          style={{ marginTop: 12 }}
          loading={entries.isFetchingNextPage}
          onClick={() => void entries.fetchNextPage()}
        >
          {t("more")}
        </Button>
      )}
    </PageFrame>
  );
}

interface EntriesProps {
  entries: Entry[];
  loading: boolean;
  reset: () => void;
}

function Entries({ entries, loading, reset }: EntriesProps) {
  const t = useTexts(texts);
  const name = useNames();
  if (!loading && entries.length === 0) {
    return (
      <EmptyState title={t("none")} action={<Button onClick={reset}>{t("show_all")}</Button>}>
        {t("none_next")}
      </EmptyState>
    );
  }
  return (
    <Table<Entry>
      rowKey="seq"
      size="small"
      loading={loading}
      dataSource={entries}
      pagination={false}
      scroll={{ x: "max-content" }}
      expandable={{
        expandedRowRender: ({ detail, mac, actor }) => <JsonView value={{ actor, detail, mac }} />,
        columnTitle: <span className="visually-hidden">{t("details")}</span>,
      }}
      columns={[
        { title: t("number"), dataIndex: "seq" },
        { title: t("when"), render: (_, { at }) => formatTime(at) },
        { title: t("actor"), render: (_, { actor }) => named(actor, name) },
        { title: t("action"), render: (_, { action }) => <code>{action}</code> },
        { title: t("resource"), render: (_, { resource }) => named(resource, name) },
      ]}
    />
  );
}

/** `user:a1b2 key:c3d4` with the name in place of the id. */
function named(text: string, name: (userId: string) => string): string {
  return text.replace(/user:(\S+)/g, (_, userId: string) => name(userId));
}
