/** The folders of a workspace as a tree; what is in one is asked for when it is opened. */
import { CaretDownOutlined, CaretRightOutlined, FolderOpenOutlined, FolderOutlined } from "@ant-design/icons";
import { Spin } from "antd";
import { useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { messageOf } from "@/api/errors";
import { useTexts } from "@/i18n";
import { isWithin, type Crumb } from "@/pages/files/naming";
import { useFolders } from "@/pages/files/queries";
import { texts } from "@/pages/files/texts";
import { movedTo } from "@/pages/files/folders/treeKeys";

interface Props {
  workspaceId: string;
  /** The open folder; encoded, as all paths in the address. */
  folder: string;
  openFolder: (encoded: string) => void;
}

interface Tree extends Props {
  /** Folders the user opened or closed; by default the path to the open folder is open. */
  opened: ReadonlyMap<string, boolean>;
  toggle: (path: string, open: boolean) => void;
  /** The one item that the Tab key reaches; from there the arrows go on. */
  reached: string;
  reach: (path: string) => void;
}

export function FolderTree(props: Props) {
  const t = useTexts(texts);
  const root = useRef<HTMLUListElement>(null);
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [reached, reach] = useState<string | null>(null);
  const toggle = (path: string, open: boolean) => {
    setOpened(new Map(opened).set(path, open));
    // What was inside is no more: the Tab key would find nothing.
    if (!open) reach(path);
  };
  const tree = { ...props, opened, toggle, reached: reached ?? "/", reach };
  return (
    <ul ref={root} role="tree" aria-label={t("tree")} className="files-tree" onKeyDown={(event) => move(event, root)}>
      <Item tree={tree} crumb={{ name: t("home"), path: "/" }} level={1} />
    </ul>
  );
}

function Item({ tree, crumb: { name, path }, level }: { tree: Tree; crumb: Crumb; level: number }) {
  const open = tree.opened.get(path) ?? isWithin(tree.folder, path);
  const inside = useFolders(tree.workspaceId, path, open);
  const leaf = inside.data?.length === 0 && path !== "/";
  const toggle = () => tree.toggle(path, !open);
  const choose = () => tree.openFolder(path);
  const current = tree.folder === path;
  return (
    <li
      role="treeitem"
      aria-label={name}
      aria-level={level}
      aria-selected={current}
      aria-expanded={leaf ? undefined : open}
      tabIndex={tree.reached === path ? 0 : -1}
      onFocus={(event) => event.target === event.currentTarget && tree.reach(path)}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        const turns = { ArrowRight: true, ArrowLeft: false }[event.key];
        if (!leaf && turns !== undefined && turns !== open) toggle();
        else if (event.key === "Enter" || event.key === " ") choose();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div className={current ? "files-branch current" : "files-branch"}>
        <span className="files-twig" aria-hidden onClick={leaf ? undefined : toggle}>
          {!leaf && (open ? <CaretDownOutlined /> : <CaretRightOutlined />)}
        </span>
        <span className="files-branch-name" onClick={choose}>
          {open && !leaf ? <FolderOpenOutlined aria-hidden /> : <FolderOutlined aria-hidden />} {name}
        </span>
      </div>
      {open && inside.isPending && <Spin size="small" />}
      {open && inside.error && <p role="alert">{messageOf(inside.error)}</p>}
      {open && (inside.data?.length ?? 0) > 0 && (
        <ul role="group">
          {inside.data?.map((each) => (
            <Item key={each.path} tree={tree} crumb={each} level={level + 1} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** The arrows go through what is shown, as in every tree. */
function move(event: KeyboardEvent, root: RefObject<HTMLUListElement | null>): void {
  const items = [...(root.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
  const at = items.indexOf(event.target as HTMLElement);
  const levels = items.map((each) => Number(each.getAttribute("aria-level")));
  const to = at < 0 ? undefined : movedTo(event.key, at, levels);
  if (to === undefined) return;
  event.preventDefault();
  items[to]?.focus();
}
