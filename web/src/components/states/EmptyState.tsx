/** Nothing here yet: what this place is for, and the one obvious next step. */
import { Empty, Flex, Typography } from "antd";
import type { ReactNode } from "react";

interface Props {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ title, children, action }: Props) {
  return (
    <Flex vertical align="center" gap={8} style={{ padding: "48px 16px", textAlign: "center" }}>
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={false} />
      <Typography.Title level={2} style={{ fontSize: 18, margin: 0 }}>
        {title}
      </Typography.Title>
      {children && (
        <Typography.Paragraph type="secondary" style={{ maxWidth: 520, margin: 0 }}>
          {children}
        </Typography.Paragraph>
      )}
      {action}
    </Flex>
  );
}
