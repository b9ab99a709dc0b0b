import { HomeOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { homePageTexts } from "@/pages/home/page.texts";

export const page: PageEntry = {
  path: "/",
  group: "hidden",
  order: 0,
  icon: <HomeOutlined />,
  texts: homePageTexts,
  load: () => import("@/pages/home/View"),
};
