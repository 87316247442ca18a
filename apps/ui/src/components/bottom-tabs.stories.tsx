import type { Meta, StoryObj } from '@storybook/react-vite';
import { ShoppingBag, Store, Ticket } from 'lucide-react';
import { Avatar } from './avatar.tsx';
import { BottomTab, BottomTabs } from './bottom-tabs.tsx';

const meta = { title: 'BottomTabs' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Market: Story = {
  render: () => (
    <BottomTabs label="เมนูหลัก">
      <a href="#market">
        <BottomTab icon={<Store aria-hidden />} label="ร้านค้า" active />
      </a>
      <a href="#vouchers">
        <BottomTab icon={<Ticket aria-hidden />} label="เวาเชอร์" active={false} />
      </a>
      <a href="#cart">
        <BottomTab icon={<ShoppingBag aria-hidden />} label="ตะกร้า" active={false} badge={2} />
      </a>
      <a href="#me">
        <BottomTab icon={<Avatar src={null} />} label="โปรไฟล์" active={false} />
      </a>
    </BottomTabs>
  ),
};
