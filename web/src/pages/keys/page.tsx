import { KeyOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  path: "/keys",
  group: "own",
  order: 130,
  icon: <KeyOutlined />,
  texts: pageTexts,
  load: () => import("./View"),
};
