/** The data files of one's own workspace: nothing more has to be done to ask them. */
import { DeleteOutlined, FileExcelOutlined } from "@ant-design/icons";
import { Button, Popconfirm, Typography } from "antd";
import type { Schemas } from "@/api/client";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { GuardedLink } from "@/components/links/GuardedLink";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatAgo, formatBytes } from "@/i18n/format";
import { Entries, Entry } from "@/components/tables/Entries";
import { sourceLink } from "@/pages/data/places";
import { UPLOADS } from "@/pages/data/sources/files";
import { useDeleteFile, useOwnFiles } from "@/pages/data/sources/queries";
import { texts } from "@/pages/data/sources/texts";

export function OwnFiles() {
  const t = useTexts(texts);
  const files = useOwnFiles();
  return (
    <section aria-labelledby="own-files">
      <Typography.Title level={2} id="own-files" style={{ fontSize: 18 }}>
        {t("your_files")}
      </Typography.Title>
      <Resource
        query={files}
        empty={<Typography.Text type="secondary">{t("your_files_empty")}</Typography.Text>}
      >
        {(found) => (
          <Entries>
            {[...found]
              .sort((a, b) => (b.modified_at ?? "").localeCompare(a.modified_at ?? ""))
              .map((file) => (
                <FileEntry key={file.path} file={file} />
              ))}
          </Entries>
        )}
      </Resource>
    </section>
  );
}

function FileEntry({ file }: { file: Schemas["FileInfo"] }) {
  const t = useTexts(texts);
  const remove = useDeleteFile();
  const name = file.path.slice(UPLOADS.length + 1);
  return (
    <Entry
      title={
        <>
          <FileExcelOutlined aria-hidden /> <GuardedLink to={sourceLink(file.path)}>{name}</GuardedLink>
        </>
      }
      line={t("changed", {
        size: formatBytes(file.size_bytes ?? 0),
        when: file.modified_at ? formatAgo(file.modified_at) : "",
      })}
      actions={
        <Popconfirm
          title={t("file_remove_ask", { name })}
          description={t("file_remove_hint")}
          okText={t("remove")}
          onConfirm={() => remove.mutate(file.encoded_path)}
        >
          <Button
            size="small"
            danger
            icon={<DeleteOutlined />}
            aria-label={t("remove_of", { name })}
            loading={remove.isPending}
          />
        </Popconfirm>
      }
    >
      {remove.error && <ErrorNotice error={remove.error} />}
    </Entry>
  );
}
