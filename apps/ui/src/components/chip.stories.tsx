import type { Meta, StoryObj } from '@storybook/react-vite';
import { Crown, Gift } from 'lucide-react';
import { Badge } from './badge.tsx';
import { Chip } from './chip.tsx';

const meta = { title: 'Chip' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = {
  render: () => (
    <div className="flex flex-wrap gap-2">
      <Chip tone="ok">พร้อมใช้</Chip>
      <Chip tone="warn">ใกล้หมดอายุ</Chip>
      <Chip tone="bad">ระงับ</Chip>
      <Chip tone="info">รอตรวจ</Chip>
      <Chip>ใช้แล้ว</Chip>
    </div>
  ),
};

export const Marks: Story = {
  render: () => (
    <div className="flex flex-wrap gap-2">
      <Chip tone="second" icon={<Gift aria-hidden />}>
        ของขวัญ
      </Chip>
      <Chip tone="brand">NOV150</Chip>
      <Chip tone="tier" icon={<Crown aria-hidden />}>
        ละไม โกลด์
      </Chip>
    </div>
  ),
};

export const OnPicture: Story = {
  render: () => (
    <div className="relative h-28 w-44 bg-muted">
      <Badge>แนะนำเดือนนี้</Badge>
    </div>
  ),
};
