import type { Meta, StoryObj } from '@storybook/react-vite';
import { Button } from './button.tsx';
import { FeatureTicket, FeatureTicketSkeleton } from './feature-ticket.tsx';
import { OrgMark } from './org-mark.tsx';

/** A flat ground and a circle, in place of a product's picture. */
const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><rect width="400" height="300" fill="#eddcc4"/><circle cx="200" cy="150" r="90" fill="#d9a662"/></svg>')}`;

const meta = { title: 'FeatureTicket' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Normal: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <FeatureTicket
        name="นวดอโรมาน้ำมันอุ่น 90 นาที แพ็ก 3 ครั้ง"
        picture={picture}
        mark={<OrgMark logo={null} name="เรือนละไม" size={64} />}
        badge="แนะนำเดือนนี้"
        priceSatang={329_000}
        listPriceSatang={420_000}
        action={<Button size="sm">ซื้อเลย</Button>}
      />
    </div>
  ),
};

export const NoPicture: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <FeatureTicket
        name="นวดอโรมา"
        picture={null}
        mark={<OrgMark logo={null} name="เรือนละไม" size={64} />}
        badge="แนะนำเดือนนี้"
        priceSatang={329_000}
        listPriceSatang={420_000}
        action={<Button size="sm">ซื้อเลย</Button>}
      />
    </div>
  ),
};

export const Long: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <FeatureTicket
        name="คอร์สนวดบำบัดออฟฟิศซินโดรมแบบองค์รวม พร้อมประคบสมุนไพรสดและแช่เท้าน้ำขิง 12 ครั้ง"
        picture={null}
        mark={<OrgMark logo={null} name="เรือนละไม" size={64} />}
        badge="แนะนำเดือนนี้"
        priceSatang={329_000}
        listPriceSatang={420_000}
        action={<Button size="sm">ซื้อเลย</Button>}
      />
    </div>
  ),
};

export const Loading: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <FeatureTicketSkeleton />
    </div>
  ),
};
