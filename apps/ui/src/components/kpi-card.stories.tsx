import type { Meta, StoryObj } from '@storybook/react-vite';
import { Wallet } from 'lucide-react';
import { KpiCard } from './kpi-card.tsx';

const meta = { title: 'KpiCard' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <div className="grid max-w-3xl grid-cols-2 gap-4">
      <KpiCard
        icon={<Wallet aria-hidden />}
        name="ยอดขาย"
        value="฿482,390.00"
        change="เพิ่มขึ้น 12.4% จาก 30 วันก่อน"
        good
        trend={[3, 4, 3, 6, 5, 8, 9]}
      />
      <KpiCard icon={<Wallet aria-hidden />} name="ยอดขาย" value="฿0.00" />
    </div>
  ),
};
