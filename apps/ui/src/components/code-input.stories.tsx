import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { CodeInput } from './code-input.tsx';
import { Field } from './field.tsx';

const meta = { title: 'CodeInput' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function Code({
  digits,
  first = '',
  error,
  disabled,
}: Partial<Record<'first' | 'error', string>> & { digits: number; disabled?: boolean }) {
  const [value, setValue] = useState(first);
  return (
    <Field label={`รหัส ${digits} หลัก`} error={error}>
      <CodeInput digits={digits} value={value} onChange={setValue} disabled={disabled} />
    </Field>
  );
}

export const Faces: Story = {
  render: () => (
    <div className="grid max-w-sm gap-6">
      <Code digits={6} />
      <Code digits={6} first="123" />
      <Code digits={6} error="รหัสไม่ถูกต้อง ลองได้อีก 4 ครั้ง" />
      <Code digits={4} first="5812" disabled />
    </div>
  ),
};
