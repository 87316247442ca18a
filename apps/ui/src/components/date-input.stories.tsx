import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { DateInput } from './date-input.tsx';
import { Field } from './field.tsx';

const meta = { title: 'DateInput' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function Until({ start }: { start: string | null }) {
  const [value, setValue] = useState(start);
  return (
    <Field label="ขายถึง" help="ถึง 23:59 เวลาไทย">
      <DateInput size="office" value={value} onChange={setValue} />
    </Field>
  );
}

export const Filled: Story = { render: () => <Until start="2026-12-31" /> };
export const Empty: Story = { render: () => <Until start={null} /> };
