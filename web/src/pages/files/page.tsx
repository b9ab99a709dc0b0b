import { FolderOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/files/page.texts";

export const page: PageEntry = {
  path: "/files",
  group: "work",
  order: 40,
  icon: <FolderOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/files/View"),
};
