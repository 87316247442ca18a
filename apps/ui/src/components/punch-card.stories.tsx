import type { Meta, StoryObj } from '@storybook/react-vite';
import { PunchCard } from './punch-card.tsx';

const meta = { title: 'PunchCard' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const OneOfThree: Story = {
  render: () => (
    <div className="max-w-[390px] bg-band p-8 text-band-foreground">
      <PunchCard left={2} justUsed={1} total={3} mark="♥">
        <p className="text-h1 font-semibold">เหลือ 2 จาก 3 ครั้ง</p>
      </PunchCard>
    </div>
  ),
};

export const LastOfSix: Story = {
  render: () => (
    <div className="max-w-[390px] bg-band p-8 text-band-foreground">
      <PunchCard left={0} justUsed={2} total={6} mark="♥">
        <p className="text-h1 font-semibold">ใช้ครบแล้ว</p>
      </PunchCard>
    </div>
  ),
};
