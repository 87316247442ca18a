import type { Meta, StoryObj } from '@storybook/react-vite';
import { Card } from './card.tsx';

const meta = { title: 'Card' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <div className="grid max-w-sm gap-4">
      <Card className="p-4">มือถือ</Card>
      <Card office className="p-4">
        หลังร้าน
      </Card>
    </div>
  ),
};
