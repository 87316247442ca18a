import type { Meta, StoryObj } from '@storybook/react-vite';
import { Dots, Meter } from './meter.tsx';

const meta = { title: 'Meter' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <div className="grid max-w-xs gap-4">
      <Meter value={0.72} />
      <Meter value={0.45} tone="warn" />
      <Meter value={1} tone="ok" />
      <Meter value={0} />
      <Dots left={2} total={3} />
    </div>
  ),
};
