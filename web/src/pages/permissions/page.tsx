import { SafetyOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/permissions/page.texts";

export const page: PageEntry = {
  path: "/permissions",
  group: "own",
  order: 150,
  icon: <SafetyOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/permissions/View"),
};
