import type { Meta, StoryObj } from '@storybook/react-vite';
import { FeatureTicketSkeleton } from './feature-ticket.tsx';
import { MovementRowSkeleton } from './movement-row.tsx';
import { PackageCardSkeleton } from './package-card.tsx';
import { VoucherTicketSkeleton } from './voucher-ticket.tsx';

const meta = { title: 'Skeleton' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Tickets: Story = {
  render: () => (
    <div className="grid max-w-[358px] gap-3.5">
      <FeatureTicketSkeleton />
      <VoucherTicketSkeleton />
      <div className="grid grid-cols-2 gap-3">
        <PackageCardSkeleton />
        <PackageCardSkeleton />
      </div>
      <MovementRowSkeleton />
    </div>
  ),
};
