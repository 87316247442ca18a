import type { Meta, StoryObj } from '@storybook/react-vite';
import { Ring, SquareRing, WaitingRing } from './ring.tsx';

const meta = { title: 'Ring' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Countdown: Story = {
  render: () => (
    <div className="flex items-center gap-6">
      <Ring value={0.97}>
        <span className="text-lead font-semibold">09:42</span>
      </Ring>
      <Ring value={0.1} warn>
        <span className="text-lead font-semibold">00:58</span>
      </Ring>
      <WaitingRing />
    </div>
  ),
};

export const AroundQr: Story = {
  render: () => (
    <div className="w-[342px]">
      <SquareRing value={0.6}>QR</SquareRing>
    </div>
  ),
};
