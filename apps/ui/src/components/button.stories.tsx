import type { Meta, StoryObj } from '@storybook/react-vite';
import { Gift, QrCode } from 'lucide-react';
import { Button } from './button.tsx';

const meta = { title: 'Button' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Variants: Story = {
  render: () => (
    <div className="flex flex-wrap gap-3">
      <Button>ซื้อเลย</Button>
      <Button variant="outline">แก้ไข</Button>
      <Button variant="soft">
        <QrCode aria-hidden />
        ใช้
      </Button>
      <Button variant="ghost">ข้าม</Button>
      <Button variant="destructive">ยกเลิกเวาเชอร์</Button>
      <Button variant="line">ส่งใน LINE</Button>
    </div>
  ),
};

export const Sizes: Story = {
  render: () => (
    <div className="flex flex-wrap items-center gap-3">
      <Button size="lg">
        <Gift aria-hidden />
        ใหญ่
      </Button>
      <Button size="md">กลาง</Button>
      <Button size="sm">เล็ก</Button>
      <Button size="xs">ในแถว</Button>
      <Button size="office">หลังร้าน</Button>
      <Button size="row">แถวตาราง</Button>
    </div>
  ),
};

export const Disabled: Story = {
  render: () => (
    <div className="flex gap-3">
      <Button disabled>ซื้อเลย</Button>
      <Button variant="outline" disabled>
        แก้ไข
      </Button>
    </div>
  ),
};

export const Long: Story = {
  render: () => (
    <div className="w-72">
      <Button wide>ที่นี่กู้ปิ่นโต้ น้ำผึ้ง ปู่ ญี่ปุ่น</Button>
    </div>
  ),
};
