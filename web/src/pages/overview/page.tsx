import { AppstoreOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  path: "/overview",
  group: "work",
  order: 10,
  icon: <AppstoreOutlined />,
  texts: pageTexts,
  load: () => import("./View"),
};
