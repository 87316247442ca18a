import type { Meta, StoryObj } from '@storybook/react-vite';
import { Tabs, TabsContent, TabsList, TabsTrigger } from './tabs.tsx';

const meta = { title: 'Tabs' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Segment: Story = {
  render: () => (
    <Tabs defaultValue="week">
      <TabsList>
        <TabsTrigger value="week">สัปดาห์</TabsTrigger>
        <TabsTrigger value="month">เดือน</TabsTrigger>
        <TabsTrigger value="year">ปี</TabsTrigger>
      </TabsList>
      <TabsContent value="week">ยอดของสัปดาห์</TabsContent>
    </Tabs>
  ),
};

export const Underline: Story = {
  render: () => (
    <Tabs defaultValue="all">
      <TabsList variant="underline">
        <TabsTrigger value="all">ทั้งหมด</TabsTrigger>
        <TabsTrigger value="sale">กำลังขาย</TabsTrigger>
      </TabsList>
      <TabsContent value="all">128 รายการ</TabsContent>
    </Tabs>
  ),
};
