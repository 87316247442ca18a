import type { Meta, StoryObj } from '@storybook/react-vite';
import { type FanTicket, TicketFan, TicketFanSkeleton } from './ticket-fan.tsx';

const meta = { title: 'Ticket fan', component: TicketFan } satisfies Meta<typeof TicketFan>;

export default meta;
type Story = StoryObj<typeof meta>;

const ticket = (name: string, ground: string, satang: number): FanTicket => ({
  picture: <div className={`size-full ${ground}`} />,
  shop: 'เรือนละไม สปา',
  name,
  satang,
  action: <a href="#buy">ซื้อเลย</a>,
});

const three = [
  ticket('นวดอโรมาน้ำมันอุ่น 90 นาที แพ็ก 3 ครั้ง พร้อมชาสมุนไพร', 'bg-accent', 3_290_00),
  ticket('ประคบสมุนไพรสด', 'bg-second-soft', 790_00),
  ticket('นวดหินร้อนล้านนา', 'bg-muted', 1_890_00),
];

export const Three: Story = { args: { tickets: three } };
export const Two: Story = { args: { tickets: three.slice(0, 2) } };
export const Alone: Story = { args: { tickets: three.slice(0, 1) } };
export const None: Story = { args: { tickets: [] } };
export const Loading: Story = { args: { tickets: [] }, render: () => <TicketFanSkeleton /> };
