import type { Meta, StoryObj } from '@storybook/react-vite';
import { MoneyBar, MoneyMark } from './money-bar.tsx';

const meta = { title: 'Money bar' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <div className="grid max-w-md gap-4">
      <MoneyBar
        parts={[
          { key: 'used', satang: 987_00, colour: 'bg-brand-mark' },
          { key: 'unused', satang: 2415_00, colour: 'bg-second-mark' },
          { key: 'frozen', satang: 1, colour: 'bg-warn' },
        ]}
      />
      <MoneyBar parts={[]} />
      <span className="flex items-center gap-2">
        <MoneyMark colour="bg-brand-mark" />
        987.00
      </span>
    </div>
  ),
};
