import type { Meta, StoryObj } from '@storybook/react-vite';
import { Band } from './band.tsx';
import { Price } from './price.tsx';

const meta = { title: 'Band' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Wallet: Story = {
  render: () => (
    <Band className="px-5 pb-8 pt-4">
      <p className="text-sm text-band-quiet">ยอดเงินที่ใช้ได้</p>
      <Price satang={185_000} className="text-balance" />
    </Band>
  ),
};
