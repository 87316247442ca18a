import type { Meta, StoryObj } from '@storybook/react-vite';
import { Price } from './price.tsx';

const meta = { title: 'Price' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <div className="grid gap-2">
      <Price satang={329_000} className="text-balance text-brand-text" />
      <span className="flex items-baseline gap-2.5">
        <Price satang={329_000} className="text-[22px]" />
        <Price satang={420_000} struck className="text-row" />
      </span>
      <Price satang={0} />
      <Price satang={-15_050} />
    </div>
  ),
};
