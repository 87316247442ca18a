import type { Meta, StoryObj } from '@storybook/react-vite';
import { Eye } from 'lucide-react';
import { IconButton } from './icon-button.tsx';
import { Tooltip } from './tooltip.tsx';

const meta = { title: 'Tooltip' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Word: Story = {
  render: () => (
    <Tooltip text="ดูได้อย่างเดียว">
      <IconButton label="ดู">
        <Eye aria-hidden />
      </IconButton>
    </Tooltip>
  ),
};
