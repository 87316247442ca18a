import type { Meta, StoryObj } from '@storybook/react-vite';
import { ActionFoot } from './action-foot.tsx';
import { Button } from './button.tsx';

const meta = { title: 'ActionFoot' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const One: Story = {
  render: () => (
    <ActionFoot>
      <Button wide>เติมเงิน ฿2,290.00</Button>
    </ActionFoot>
  ),
};
