import type { Meta, StoryObj } from '@storybook/react-vite';
import { Search, SlidersHorizontal } from 'lucide-react';
import { Input, Textarea } from './input.tsx';

const meta = { title: 'Input' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Phone: Story = {
  render: () => (
    <div className="grid max-w-sm gap-3">
      <Input aria-label="ชื่อ" placeholder="ชื่อ" />
      <Input
        aria-label="ค้นหา"
        before={<Search aria-hidden size={20} />}
        after={<SlidersHorizontal aria-hidden size={20} />}
        placeholder="ค้นหาแพ็กเกจ บริการ สาขา"
      />
      <Input aria-label="ปิด" disabled defaultValue="แก้ไม่ได้" />
    </div>
  ),
};

export const Office: Story = {
  render: () => (
    <div className="grid max-w-sm gap-3">
      <Input aria-label="ชื่อ" size="office" placeholder="ชื่อแพ็กเกจ" />
      <Textarea aria-label="รายละเอียด" size="office" defaultValue="ปู่ ญี่ปุ่น ที่นี่ น้ำ กู้ ป้ำ ฐู ฎุ" />
    </div>
  ),
};
