import type { Meta, StoryObj } from '@storybook/react-vite';
import { Switch } from './switch.tsx';

const meta = { title: 'Switch' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <div className="flex gap-5">
      <Switch aria-label="ปิด" />
      <Switch aria-label="เปิด" defaultChecked />
      <Switch aria-label="แก้ไม่ได้" disabled />
    </div>
  ),
};
