import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { Field } from './field.tsx';
import { MoneyInput } from './money-input.tsx';

const meta = { title: 'MoneyInput' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function Price({ start, error }: { start: number | null; error?: string }) {
  const [value, setValue] = useState<number | null>(start);
  return (
    <Field label="ราคาขาย" help="ลูกค้าจ่ายเท่านี้พอดี" error={error}>
      <MoneyInput size="office" value={value} onChange={setValue} />
    </Field>
  );
}

export const Filled: Story = { render: () => <Price start={329_000} /> };
export const Empty: Story = { render: () => <Price start={null} /> };
export const Wrong: Story = { render: () => <Price start={50} error="ใส่ราคาที่มากกว่านี้" /> };
