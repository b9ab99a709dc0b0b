/** Files: a workspace, a folder in it, a file of it; each is in the address, so it can be sent on. */
import { useSearchParams } from "react-router";
import { PageFrame } from "@/components/page/PageFrame";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { Folders } from "@/pages/files/folders/Folders";
import { FolderView } from "@/pages/files/folders/FolderView";
import { crumbsOf, parentOf } from "@/pages/files/naming";
import { pageTexts } from "@/pages/files/page.texts";
import { Quota } from "@/pages/files/workspaces/Quota";
import { useWorkspaces } from "@/pages/files/queries";
import { WorkspaceBar } from "@/pages/files/workspaces/WorkspaceBar";

export default function View() {
  const p = useTexts(pageTexts);
  const workspaces = useWorkspaces();
  const [search, setSearch] = useSearchParams();
  const file = search.get("file");
  const folder = search.get("folder") ?? (file ? parentOf(file) : "/");
  return (
    <PageFrame title={p("title")} hint={p("hint")}>
      <Resource query={workspaces}>
        {(items) => {
          const chosen = items.find((each) => each.workspace_id === search.get("workspace")) ?? items[0];
          if (!chosen) return null;
          const id = chosen.workspace_id;
          const go = (place: Record<string, string>) => setSearch({ workspace: id, ...place });
          const openFolder = (path: string) => go({ folder: path });
          return (
            <>
              <WorkspaceBar
                workspaces={items}
                chosen={chosen}
                choose={(workspace) => setSearch({ workspace })}
              />
              <Quota workspace={chosen} />
              <Folders workspaceId={id} folder={folder} openFolder={openFolder}>
                <FolderView
                  key={`${id} ${folder}`}
                  workspace={chosen}
                  folder={folder}
                  crumbs={crumbsOf(folder)}
                  file={file}
                  openFolder={openFolder}
                  openFile={(path) => go(path ? { folder, file: path } : { folder })}
                />
              </Folders>
            </>
          );
        }}
      </Resource>
    </PageFrame>
  );
}
