import type { Meta, StoryObj } from '@storybook/react-vite';
import { FilterPill, FilterPills } from './filter-pill.tsx';

const meta = { title: 'FilterPill' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Row: Story = {
  render: () => (
    <FilterPills aria-label="หมวด">
      <FilterPill on>ทั้งหมด</FilterPill>
      <FilterPill>นวดไทย</FilterPill>
      <FilterPill count={4}>อโรมา</FilterPill>
      <FilterPill>สำหรับคู่รัก</FilterPill>
      <FilterPill>บัตรของขวัญ</FilterPill>
    </FilterPills>
  ),
};
