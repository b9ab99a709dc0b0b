import {
  DeleteOutlined,
  DownloadOutlined,
  FileOutlined,
  FolderOutlined,
  LinkOutlined,
} from "@ant-design/icons";
import { App, Button, Flex, Popconfirm, Table, type TableColumnsType } from "antd";
import { messageOf } from "@/api/errors";
import { useTexts } from "@/i18n";
import { formatBytes, formatTime } from "@/i18n/format";
import { isFixed } from "@/pages/files/naming";
import { downloadUrl, useFileActions, type FileInfo, type Workspace } from "@/pages/files/queries";
import { texts } from "@/pages/files/texts";

interface Props {
  workspace: Workspace;
  files: FileInfo[];
  mayWrite: boolean;
  openFolder: (encoded: string) => void;
  openFile: (encoded: string) => void;
}

const ICONS = {
  dir: <FolderOutlined />,
  file: <FileOutlined />,
  link: <LinkOutlined />,
  other: <FileOutlined />,
};

export function FileTable({ workspace, files, mayWrite, openFolder, openFile }: Props) {
  const t = useTexts(texts);
  const open = (file: FileInfo) =>
    (file.kind === "dir" ? openFolder : openFile)(file.encoded_path);
  const columns: TableColumnsType<FileInfo> = [
    {
      title: t("name"),
      render: (_, file) => (
        <Button
          type="link"
          icon={ICONS[file.kind]}
          style={{ padding: 0, height: "auto", whiteSpace: "normal", textAlign: "start" }}
          onClick={() => open(file)}
        >
          <span style={{ overflowWrap: "anywhere" }}>{file.name}</span>
        </Button>
      ),
    },
    {
      title: t("size"),
      align: "end",
      width: 100,
      render: (_, file) => (file.kind === "file" ? formatBytes(file.size_bytes) : "–"),
    },
    {
      title: t("changed"),
      responsive: ["md"],
      width: 190,
      render: (_, file) => (file.modified_at ? formatTime(file.modified_at) : "–"),
    },
    {
      title: t("actions"),
      width: 110,
      render: (_, file) => <Actions workspace={workspace} file={file} mayWrite={mayWrite} />,
    },
  ];
  // Folders first, as people expect; the server's order is of bytes.
  const sorted = files.toSorted((a, b) => Number(b.kind === "dir") - Number(a.kind === "dir"));
  return (
    <Table<FileInfo>
      rowKey="encoded_path"
      size="small"
      columns={columns}
      dataSource={sorted}
      pagination={false}
    />
  );
}

function Actions({ workspace, file, mayWrite }: { workspace: Workspace; file: FileInfo; mayWrite: boolean }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { remove } = useFileActions(workspace.workspace_id);
  const { name } = file;
  const drop = () =>
    remove.mutateAsync(file).then(
      () => void message.success(t("deleted", { name })),
      (error: unknown) => void message.error(messageOf(error)),
    );
  return (
    <Flex gap={4}>
      {file.kind === "file" && (
        <Button
          size="small"
          type="text"
          icon={<DownloadOutlined />}
          aria-label={`${t("download")} ${name}`}
          href={downloadUrl(workspace.workspace_id, file)}
          download
        />
      )}
      {mayWrite && !isFixed(file.path) && (
        <Popconfirm
          title={t(file.kind === "dir" ? "delete_folder_ask" : "delete_ask", { name })}
          description={t("remove_hint")}
          okText={t("remove")}
          okButtonProps={{ danger: true }}
          cancelText={t("cancel")}
          onConfirm={drop}
        >
          <Button
            size="small"
            type="text"
            danger
            icon={<DeleteOutlined />}
            aria-label={t("delete_file", { name })}
          />
        </Popconfirm>
      )}
    </Flex>
  );
}
