import type { Meta, StoryObj } from '@storybook/react-vite';
import { RotateCcw, Ticket, Wallet } from 'lucide-react';
import { Card } from './card.tsx';
import { MovementRow, MovementRowSkeleton } from './movement-row.tsx';

const meta = { title: 'MovementRow' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <Card className="max-w-[358px] py-1">
      <MovementRow
        icon={<Ticket aria-hidden />}
        tone="brand"
        title="นวดเท้าสมุนไพร 60 นาที"
        line="09:12 · ซื้อ 1 รายการ"
        satang={-49_000}
        after={(left) => `เหลือ ${left}`}
        afterSatang={185_000}
      />
      <MovementRow
        icon={<Wallet aria-hidden />}
        tone="ok"
        title="เติมเงินด้วยพร้อมเพย์"
        line="18:40"
        satang={100_000}
        after={(left) => `เหลือ ${left}`}
        afterSatang={234_000}
      />
      <MovementRow
        icon={<RotateCcw aria-hidden />}
        tone="info"
        title="คืนเงินครั้งที่ยังไม่ได้ใช้ของคอร์สนวดบำบัดออฟฟิศซินโดรม"
        line="11:20"
        satang={35_000}
        after={(left) => `เหลือ ${left}`}
        afterSatang={48_500}
      />
      <MovementRowSkeleton />
    </Card>
  ),
};
