import type { Meta, StoryObj } from '@storybook/react-vite';
import { CalendarCheck, MapPin, ShieldCheck } from 'lucide-react';
import { Fact } from './fact.tsx';

const meta = { title: 'Fact' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <div>
      <Fact icon={<CalendarCheck aria-hidden />} title="ใช้ได้ถึง 31/03/2027" line="จองล่วงหน้า 1 วัน ทุกวัน 10:00–21:00" />
      <Fact icon={<ShieldCheck aria-hidden />} title="เงินของคุณยังอยู่ครบจนกว่าจะใช้" />
      <Fact
        icon={<MapPin aria-hidden />}
        title="ใช้ได้ที่ 3 สาขา"
        line="นิมมานเหมินท์ ซอย 9 · ท่าแพ · แม่ริม"
        opens={(content, className) => (
          <button type="button" className={className}>
            {content}
          </button>
        )}
      />
    </div>
  ),
};
