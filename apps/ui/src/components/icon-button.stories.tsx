import type { Meta, StoryObj } from '@storybook/react-vite';
import { Bell, Share2 } from 'lucide-react';
import { IconButton } from './icon-button.tsx';

const meta = { title: 'IconButton' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Variants: Story = {
  render: () => (
    <div className="flex gap-3 bg-muted p-4">
      <IconButton label="แจ้งเตือน">
        <Bell aria-hidden />
      </IconButton>
      <IconButton label="แชร์" variant="picture">
        <Share2 aria-hidden />
      </IconButton>
      <IconButton label="แชร์" variant="outline" size="lg">
        <Share2 aria-hidden />
      </IconButton>
    </div>
  ),
};
