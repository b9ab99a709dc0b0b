/** One folder: its files, what can be done with them, and dropping new ones onto it. */
import { FolderAddOutlined, UploadOutlined } from "@ant-design/icons";
import { Breadcrumb, Button, Flex } from "antd";
import { useRef, useState } from "react";
import { mayWrite as mayWriteAs, useMe } from "@/api/me";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { NextStep } from "@/components/states/NextStep";
import { Waiting } from "@/components/states/Waiting";
import { useTexts } from "@/i18n";
import { FileTable } from "@/pages/files/FileTable";
import { FolderForm } from "@/pages/files/folders/FolderForm";
import { isWritable, readable, uploadFolder, type Crumb } from "@/pages/files/naming";
import { Preview } from "@/pages/files/Preview";
import { useFilesChanged, useFolder, type Workspace } from "@/pages/files/queries";
import { texts } from "@/pages/files/texts";
import { UploadList } from "@/pages/files/uploads/UploadList";
import { useUploading } from "@/pages/files/uploads/useUploading";
import "@/pages/files/files.css";

interface Props {
  workspace: Workspace;
  /** Encoded, as all paths in the address. */
  folder: string;
  crumbs: Crumb[];
  file: string | null;
  openFolder: (encoded: string) => void;
  openFile: (encoded: string | null) => void;
}

export function FolderView({ workspace, folder, crumbs, file, openFolder, openFile }: Props) {
  const t = useTexts(texts);
  const me = useMe();
  const list = useFolder(workspace.workspace_id, folder);
  const changed = useFilesChanged();
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [making, setMaking] = useState(false);
  const files = list.data?.pages.flatMap((page) => page.items) ?? [];
  const mayWrite = workspace.permission !== "read" && mayWriteAs(me);
  const here = readable(folder);
  const target = uploadFolder(here);
  const take = useUploading(workspace.workspace_id, target, () => void changed());
  const opened = file === null ? undefined : files.find((each) => each.encoded_path === file);
  const uploadButton = mayWrite && (
    <Button type="primary" icon={<UploadOutlined />} onClick={() => picker.current?.click()}>
      {t("upload")}
    </Button>
  );
  return (
    <div
      className={over ? "files-drop over" : "files-drop"}
      onDragOver={(event) => {
        if (!mayWrite || !event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!mayWrite) return;
        event.preventDefault();
        setOver(false);
        void take([...event.dataTransfer.files]);
      }}
    >
      <Flex justify="space-between" align="center" gap={8} wrap style={{ marginBottom: 8 }}>
        <Breadcrumb
          items={[{ name: t("home"), path: "/" }, ...crumbs].map(({ name, path }, at, all) => ({
            key: path,
            title:
              at === all.length - 1 ? (
                name
              ) : (
                <Button type="link" size="small" style={{ padding: 0 }} onClick={() => openFolder(path)}>
                  {name}
                </Button>
              ),
          }))}
        />
        {mayWrite && (
          <Flex gap={8} align="center" wrap>
            <Button icon={<FolderAddOutlined />} onClick={() => setMaking(true)}>
              {t("new_folder")}
            </Button>
            {uploadButton}
          </Flex>
        )}
      </Flex>
      {over && <p role="status">{t("drop", { folder: target })}</p>}
      {mayWrite && !isWritable(here) && <p className="files-hint">{t("upload_to", { folder: target })}</p>}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t("upload")}
        onChange={(event) => {
          void take([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <UploadList />
      {list.error && <ErrorNotice error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Waiting />}
      {list.data && files.length === 0 && (
        <EmptyState title={t("empty")} action={<NextStep>{uploadButton}</NextStep>}>
          {t("empty_hint")}
        </EmptyState>
      )}
      {files.length > 0 && (
        <FileTable
          workspace={workspace}
          files={files}
          mayWrite={mayWrite}
          openFolder={openFolder}
          openFile={openFile}
        />
      )}
      {list.hasNextPage && (
        <Button loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("load_more")}
        </Button>
      )}
      {making && (
        <FolderForm workspace={workspace} folder={target} close={() => setMaking(false)} />
      )}
      {file !== null && list.data && (
        <Preview
          workspaceId={workspace.workspace_id}
          file={opened ?? null}
          close={() => openFile(null)}
        />
      )}
    </div>
  );
}
