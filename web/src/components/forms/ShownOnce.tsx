/** A secret that is shown now and never again: copy it, then say that it was copied. */
import { Alert, Button, Modal } from "antd";
import type { ReactNode } from "react";
import { CodeLine } from "@/components/code/CodeLine";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";

interface Props {
  title: string;
  warning: string;
  secret: string;
  close: () => void;
  children?: ReactNode;
}

export function ShownOnce({ title, warning, secret, close, children }: Props) {
  const t = useTexts(componentTexts);
  return (
    <Modal
      open
      title={title}
      // A stray click must not take away what cannot be shown again.
      mask={{ closable: false }}
      onCancel={close}
      footer={
        <Button type="primary" onClick={close}>
          {t("copied_it")}
        </Button>
      }
    >
      <Alert type="warning" showIcon title={warning} style={{ marginBottom: 12 }} />
      <CodeLine text={secret} />
      {children}
    </Modal>
  );
}
