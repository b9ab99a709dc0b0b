/** The tree beside the folder that is open; on a phone behind a button. */
import { ApartmentOutlined } from "@ant-design/icons";
import { Button, Drawer, Grid } from "antd";
import { useState, type ReactNode } from "react";
import { useTexts } from "@/i18n";
import { FolderTree } from "@/pages/files/folders/FolderTree";
import { texts } from "@/pages/files/texts";

interface Props {
  workspaceId: string;
  folder: string;
  openFolder: (encoded: string) => void;
  children: ReactNode;
}

export function Folders({ workspaceId, folder, openFolder, children }: Props) {
  const t = useTexts(texts);
  const wide = Grid.useBreakpoint().lg ?? window.innerWidth >= 992;
  const [drawn, setDrawn] = useState(false);
  const tree = (
    <FolderTree
      // What is open in one workspace is not there in another.
      key={workspaceId}
      workspaceId={workspaceId}
      folder={folder}
      openFolder={(path) => (setDrawn(false), openFolder(path))}
    />
  );
  if (wide) {
    return (
      <div className="files-beside">
        <nav aria-label={t("tree")}>{tree}</nav>
        <div className="files-folder">{children}</div>
      </div>
    );
  }
  return (
    <>
      <Button icon={<ApartmentOutlined />} onClick={() => setDrawn(true)} style={{ margin: "8px 0" }}>
        {t("tree")}
      </Button>
      <Drawer open={drawn} onClose={() => setDrawn(false)} placement="left" size={300} title={t("tree")}>
        {tree}
      </Drawer>
      {children}
    </>
  );
}
