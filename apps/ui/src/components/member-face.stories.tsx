import type { Meta, StoryObj } from '@storybook/react-vite';
import { MemberFace } from './member-face.tsx';
import { OrgMark } from './org-mark.tsx';

const meta = { title: 'MemberFace' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const card = {
  mark: <OrgMark logo={null} name="เรือนละไม สปา" size={40} onBand />,
  shop: 'เรือนละไม สปา',
  line: 'สมาชิกตั้งแต่ 12/02/2024',
  type: 'ละไม โกลด์',
  name: 'ณัฐกานต์ วงศ์สว่าง',
  number: 'RLM 0048 2216',
};

export const Running: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <MemberFace {...card} beside="ใช้ได้ถึง 11/02/2027" />
    </div>
  ),
};

export const Suspended: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <MemberFace {...card} grey beside="ระงับไว้" />
    </div>
  ),
};

export const Picture: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <MemberFace {...card} picture="/image/profile2.png" />
    </div>
  ),
};
