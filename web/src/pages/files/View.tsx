/** Files: a workspace, a folder in it, a file of it; each is in the address, so it can be sent on. */
import { useSearchParams } from "react-router";
import { PageFrame } from "@/components/PageFrame";
import { Resource } from "@/components/Resource";
import { useTexts } from "@/i18n";
import { Folders } from "./Folders";
import { FolderView } from "./FolderView";
import { crumbsOf, parentOf } from "./naming";
import { pageTexts } from "./page.texts";
import { Quota } from "./Quota";
import { useWorkspaces } from "./queries";
import { WorkspaceBar } from "./WorkspaceBar";

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
