import type { Meta, StoryObj } from '@storybook/react-vite';
import { OrgMark } from './org-mark.tsx';
import { PackageCard, PackageCardSkeleton } from './package-card.tsx';

/** A flat ground and a circle, in place of a product's picture. */
const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><rect width="400" height="300" fill="#eddcc4"/><circle cx="200" cy="150" r="90" fill="#d9a662"/></svg>')}`;

const meta = { title: 'PackageCard' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Normal: Story = {
  render: () => (
    <div className="w-[173px]">
      <PackageCard
        name="นวดหินร้อนล้านนา 120 นาที"
        picture={picture}
        mark={<OrgMark logo={null} name="เรือนละไม" size={48} />}
        priceSatang={189_000}
        badge="−15%"
        meta="เหลือ 42 · ขายแล้ว 58"
        link={(content) => <a href="#detail">{content}</a>}
      />
    </div>
  ),
};

export const NoPicture: Story = {
  render: () => (
    <div className="w-[173px]">
      <PackageCard
        name="ห้องซาวน่า"
        picture={null}
        mark={<OrgMark logo={null} name="เรือนละไม" size={48} />}
        priceSatang={189_000}
        meta="ขายแล้ว 8"
        link={(content) => <a href="#detail">{content}</a>}
      />
    </div>
  ),
};

export const Long: Story = {
  render: () => (
    <div className="w-[173px]">
      <PackageCard
        name="Signature Lanna Four-Hand Massage with Warm Herbal Compress for Two"
        picture={null}
        mark={<OrgMark logo={null} name="เรือนละไม" size={48} />}
        priceSatang={189_000}
        badge="เฉพาะสมาชิกละไมโกลด์เท่านั้น"
        meta="เหลือ 12,042 · ขายแล้ว 120,058"
        link={(content) => <a href="#detail">{content}</a>}
      />
    </div>
  ),
};

export const Loading: Story = {
  render: () => (
    <div className="w-[173px]">
      <PackageCardSkeleton />
    </div>
  ),
};
