import type { Meta, StoryObj } from '@storybook/react-vite';
import { ShoppingBag, Ticket } from 'lucide-react';
import { Avatar } from './avatar.tsx';
import { OrgMark } from './org-mark.tsx';
import { TopTab, TopTabs } from './top-tabs.tsx';

const meta = { title: 'TopTabs' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Seen from 1024 px on; below it BottomTabs stand. */
export const Market: Story = {
  render: () => (
    <TopTabs
      label="เมนูหลัก"
      home={
        <a href="#market" className="flex items-center gap-3 font-semibold">
          <OrgMark logo={null} name="เรือนละไม สปา" size={36} />
          เรือนละไม สปา
        </a>
      }
    >
      <a href="#market">
        <TopTab label="ร้านค้า" active />
      </a>
      <a href="#vouchers">
        <TopTab icon={<Ticket aria-hidden />} label="เวาเชอร์" active={false} />
      </a>
      <a href="#cart">
        <TopTab icon={<ShoppingBag aria-hidden />} label="ตะกร้า" active={false} badge={2} />
      </a>
      <a href="#me">
        <TopTab icon={<Avatar src={null} />} label="โปรไฟล์" active={false} />
      </a>
    </TopTabs>
  ),
};
