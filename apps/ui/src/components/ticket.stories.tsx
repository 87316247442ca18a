import type { Meta, StoryObj } from '@storybook/react-vite';
import { Price } from './price.tsx';
import { Ticket } from './ticket.tsx';

const meta = { title: 'Ticket' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Sum: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <Ticket
        stub={60}
        foot={
          <>
            <span className="flex-1 font-semibold">ยอดที่ต้องจ่าย</span>
            <Price satang={414_000} className="text-[24px] text-brand-text" />
          </>
        }
      >
        <div className="flex justify-between px-4 py-3.5 text-row">
          <span className="text-muted-foreground">ราคารวม</span>
          <span>4,140.00</span>
        </div>
      </Ticket>
    </div>
  ),
};
