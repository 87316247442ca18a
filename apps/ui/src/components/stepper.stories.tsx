import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { Stepper } from './stepper.tsx';

const meta = { title: 'Stepper' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Cart: Story = {
  render: function Cart() {
    const [value, setValue] = useState(1);
    return <Stepper name="นวดอโรมา" value={value} onChange={setValue} onRemove={() => setValue(1)} max={3} />;
  },
};
