import { FolderOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  path: "/files",
  group: "work",
  order: 40,
  icon: <FolderOutlined />,
  texts: pageTexts,
  load: () => import("./View"),
};
