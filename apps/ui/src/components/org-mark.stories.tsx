import type { Meta, StoryObj } from '@storybook/react-vite';
import { OrgMark, PlatformMark } from './org-mark.tsx';

const meta = { title: 'OrgMark' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <div className="flex gap-3">
      <OrgMark logo={null} name="เรือนละไม สปา" />
      <OrgMark logo={null} name="Sathorn Waree" size={64} />
      <PlatformMark />
    </div>
  ),
};
