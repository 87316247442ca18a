import type { Meta, StoryObj } from '@storybook/react-vite';
import { ChevronDown, LayoutDashboard, Package, Users } from 'lucide-react';
import { Sidebar, SidebarCount, SidebarItem, SidebarLabel } from './sidebar.tsx';

const meta = { title: 'Sidebar' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function Items() {
  return (
    <>
      <SidebarItem>
        <a href="#dashboard">
          <LayoutDashboard aria-hidden />
          <SidebarLabel>แดชบอร์ด</SidebarLabel>
        </a>
      </SidebarItem>
      <SidebarItem>
        <a href="#customers">
          <Users aria-hidden />
          <SidebarLabel>ลูกค้า</SidebarLabel>
          <SidebarCount>12</SidebarCount>
        </a>
      </SidebarItem>
      <SidebarItem open>
        <a href="#products">
          <Package aria-hidden />
          <SidebarLabel>บริการและสินค้า</SidebarLabel>
          <ChevronDown aria-hidden />
        </a>
      </SidebarItem>
      <SidebarItem nested active>
        <a href="#packages">
          <SidebarLabel>แพ็กเกจ</SidebarLabel>
        </a>
      </SidebarItem>
    </>
  );
}

export const Office: Story = {
  render: () => (
    <Sidebar>
      <Items />
    </Sidebar>
  ),
};

export const Drawer: Story = {
  render: () => (
    <div className="w-72">
      <Sidebar full>
        <Items />
      </Sidebar>
    </div>
  ),
};
