import { MessageOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { chatPageTexts } from "@/pages/chat/page.texts";

export const page: PageEntry = {
  path: "/chat/:sessionId?",
  to: "/chat",
  group: "chat",
  order: 0,
  icon: <MessageOutlined />,
  texts: chatPageTexts,
  load: () => import("@/pages/chat/View"),
};
