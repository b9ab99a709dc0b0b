import { SettingOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  path: "/settings",
  group: "own",
  order: 170,
  icon: <SettingOutlined />,
  texts: pageTexts,
  keys: "mod+,",
  load: () => import("./View"),
};
