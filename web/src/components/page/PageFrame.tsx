/** A page that is not the chat: title, what it is for, its main action, its content. */
import { Flex, Typography } from "antd";
import type { ReactNode } from "react";

interface Props {
  title: string;
  hint?: ReactNode;
  extra?: ReactNode;
  children: ReactNode;
}

export function PageFrame({ title, hint, extra, children }: Props) {
  return (
    <div style={{ padding: "20px clamp(12px, 3vw, 32px) 48px", maxWidth: 1280, margin: "0 auto" }}>
      <Flex justify="space-between" align="start" gap={12} wrap style={{ marginBottom: 16 }}>
        <div>
          <Typography.Title level={1} style={{ fontSize: 24, margin: 0 }}>
            {title}
          </Typography.Title>
          {hint && (
            <Typography.Paragraph type="secondary" style={{ margin: "4px 0 0", maxWidth: 720 }}>
              {hint}
            </Typography.Paragraph>
          )}
        </div>
        {extra && (
          <Flex gap={8} wrap>
            {extra}
          </Flex>
        )}
      </Flex>
      {children}
    </div>
  );
}
