import type { Meta, StoryObj } from '@storybook/react-vite';
import { Gift, TriangleAlert } from 'lucide-react';
import { Note } from './note.tsx';

const meta = { title: 'Note' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Tones: Story = {
  render: () => (
    <div className="grid max-w-md gap-3">
      <Note tone="brand" icon={<Gift aria-hidden />} title="โอนต่อให้คนอื่นได้อีก 2 ครั้ง">
        ต้องโอนทั้ง 2 ครั้งที่เหลือไปพร้อมกัน
      </Note>
      <Note tone="warn" icon={<TriangleAlert aria-hidden />}>
        ราคาเปลี่ยนแล้ว ดูใหม่ก่อนยืนยัน
      </Note>
      <Note tone="bad">ยังตัดเงินไม่ได้</Note>
      <Note>จองล่วงหน้า 1 วัน</Note>
    </div>
  ),
};
