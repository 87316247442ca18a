import type { Meta, StoryObj } from '@storybook/react-vite';
import { ItemStubs, TornTicket } from './torn-ticket.tsx';

const meta = { title: 'TornTicket' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const ticket = (number: number) => (
  <TornTicket
    stub={
      <div className="grid gap-3">
        <p className="text-h1 font-semibold">{number} ครั้ง</p>
        <ItemStubs number={number} name={(which) => `ครั้งที่ ${which}`} />
      </div>
    }
  >
    <p className="px-5 py-6 text-lead font-semibold">นวดอโรมาน้ำมันอุ่น 90 นาที</p>
  </TornTicket>
);

export const One: Story = { render: () => ticket(1) };
export const Three: Story = { render: () => ticket(3) };
export const Ten: Story = { render: () => ticket(10) };
export const Many: Story = { render: () => ticket(24) };
