/** Asks once whether the browser may tell that something waits. */
import { BellOutlined } from "@ant-design/icons";
import { Button, Flex } from "antd";
import { useState } from "react";
import { usePreferences } from "@/app/state/preferences";
import { requestTexts } from "@/pages/chat/requests/texts";
import { useTexts } from "@/i18n";

const ASKED = "dataagent.notify-asked";

export function NotifyOffer() {
  const t = useTexts(requestTexts);
  const set = usePreferences((state) => state.set);
  const possible = "Notification" in window && Notification.permission === "default";
  const [offered, setOffered] = useState(() => possible && !localStorage.getItem(ASKED));
  if (!offered) return null;
  const done = (notify: boolean) => {
    localStorage.setItem(ASKED, "yes");
    set({ notify });
    setOffered(false);
  };
  const ask = async () => done((await Notification.requestPermission()) === "granted");
  return (
    <Flex gap={8} wrap className="chat-dock" align="center">
      <Button size="small" icon={<BellOutlined />} onClick={() => void ask()}>
        {t("notify_ask")}
      </Button>
      <Button size="small" type="text" onClick={() => done(false)}>
        {t("notify_later")}
      </Button>
    </Flex>
  );
}
