import { KeyOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/keys/page.texts";

export const page: PageEntry = {
  path: "/keys",
  group: "own",
  order: 130,
  icon: <KeyOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/keys/View"),
};
