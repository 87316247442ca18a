import type { Meta, StoryObj } from '@storybook/react-vite';
import { Avatar } from './avatar.tsx';

const meta = { title: 'Avatar' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <div className="flex gap-3">
      <Avatar src={null} />
      <Avatar src={null} size={68} />
    </div>
  ),
};
