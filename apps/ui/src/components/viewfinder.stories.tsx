import type { Meta, StoryObj } from '@storybook/react-vite';
import { WaitingRing } from './ring.tsx';
import { Viewfinder } from './viewfinder.tsx';

const meta = { title: 'Viewfinder' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Checking: Story = {
  render: () => (
    <div className="grid h-[420px] place-items-center overflow-hidden bg-[#15130f] text-white">
      <Viewfinder>
        <WaitingRing size={44} />
      </Viewfinder>
    </div>
  ),
};
