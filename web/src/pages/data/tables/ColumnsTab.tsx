/** What the columns are: the engine's types, comments, keys. */
import { Table } from "antd";
import type { Schemas } from "@/api/client";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/data/tables/texts";

export function ColumnsTab({ columns }: { columns: Schemas["ColumnInfo"][] }) {
  const t = useTexts(texts);
  return (
    // Nothing in it can be focused, so that the keyboard could scroll it to the side: the box can.
    <div tabIndex={0} role="group" aria-label={t("columns_tab")} style={{ overflowX: "auto" }}>
      <Table
        size="small"
        rowKey="name"
        dataSource={columns}
        pagination={false}
        style={{ minWidth: "max-content" }}
        columns={[
          { title: t("column"), dataIndex: "name", render: (name: string) => <strong>{name}</strong> },
          { title: t("type"), dataIndex: "type" },
          { title: t("kind"), dataIndex: "kind" },
          {
            title: t("key"),
            key: "key",
            render: (_, column) =>
              [
                column.primary && t("primary"),
                column.references && t("references", { target: column.references }),
                column.nullable && t("nullable"),
              ]
                .filter(Boolean)
                .join(", "),
          },
          { title: t("comment"), dataIndex: "comment" },
        ]}
      />
    </div>
  );
}
