import type { Meta, StoryObj } from '@storybook/react-vite';
import { CircleHelp } from 'lucide-react';
import { IconButton } from './icon-button.tsx';
import { TopBar } from './top-bar.tsx';

const meta = { title: 'TopBar' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Inner: Story = {
  render: () => (
    <TopBar title="เติมเงิน" onBack={() => undefined}>
      <IconButton label="ช่วยเหลือ">
        <CircleHelp aria-hidden />
      </IconButton>
    </TopBar>
  ),
};

export const Over: Story = { render: () => <TopBar title="ใช้เวาเชอร์" closes onBack={() => undefined} /> };

export const Long: Story = {
  render: () => <TopBar title="คอร์สนวดบำบัดออฟฟิศซินโดรมแบบองค์รวม พร้อมประคบสมุนไพรสด" onBack={() => undefined} />,
};
