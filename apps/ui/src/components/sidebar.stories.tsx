import type { Meta, StoryObj } from '@storybook/react-vite';
import { LayoutDashboard, Package, Users } from 'lucide-react';
import { Sidebar, SidebarCount, SidebarGroup, SidebarItem } from './sidebar.tsx';

const meta = { title: 'Sidebar' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Office: Story = {
  render: () => (
    <Sidebar>
      <SidebarItem active>
        <a href="#dashboard">
          <LayoutDashboard aria-hidden />
          <span className="max-lg:sr-only">แดชบอร์ด</span>
        </a>
      </SidebarItem>
      <SidebarGroup title="จัดการ">
        <SidebarItem>
          <a href="#customers">
            <Users aria-hidden />
            <span className="max-lg:sr-only">ลูกค้า</span>
            <SidebarCount>12</SidebarCount>
          </a>
        </SidebarItem>
        <SidebarItem>
          <a href="#packages">
            <Package aria-hidden />
            <span className="max-lg:sr-only">แพ็กเกจ</span>
          </a>
        </SidebarItem>
      </SidebarGroup>
    </Sidebar>
  ),
};
