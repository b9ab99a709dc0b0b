import { Flex } from "antd";
import { OwnFiles } from "@/pages/data/sources/OwnFiles";
import { SourceList } from "@/pages/data/sources/SourceList";
import { UploadBox } from "@/pages/data/sources/UploadBox";

export const SourcesPage = () => (
  <Flex vertical gap={24}>
    <UploadBox />
    <OwnFiles />
    <SourceList />
  </Flex>
);
