import { SafetyOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  path: "/permissions",
  group: "own",
  order: 150,
  icon: <SafetyOutlined />,
  texts: pageTexts,
  load: () => import("./View"),
};
