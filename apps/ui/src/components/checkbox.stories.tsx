import type { Meta, StoryObj } from '@storybook/react-vite';
import { Checkbox } from './checkbox.tsx';

const meta = { title: 'Checkbox' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <div className="flex gap-5">
      <Checkbox aria-label="ว่าง" />
      <Checkbox aria-label="เลือก" defaultChecked />
      <Checkbox aria-label="บางส่วน" checked="indeterminate" />
      <Checkbox aria-label="ปิด" disabled />
      <Checkbox aria-label="ผิด" aria-invalid />
      <Checkbox aria-label="หลังร้าน" size="office" defaultChecked />
    </div>
  ),
};
