import { SettingOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/settings/page.texts";

export const page: PageEntry = {
  path: "/settings",
  group: "own",
  order: 170,
  icon: <SettingOutlined />,
  texts: pageTexts,
  keys: "mod+,",
  load: () => import("@/pages/settings/View"),
};
