import type { Meta, StoryObj } from '@storybook/react-vite';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

const meta = { title: 'Field' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Normal: Story = {
  render: () => (
    <div className="grid max-w-sm gap-4">
      <Field label="เบอร์มือถือ" help="ใช้รับรหัส OTP 6 หลัก">
        <Input defaultValue="081-234-44" />
      </Field>
      <Field label="ชื่อเล่น" optional="ไม่บังคับ">
        <Input />
      </Field>
    </div>
  ),
};

export const WithError: Story = {
  render: () => (
    <div className="max-w-sm">
      <Field label="อีเมล" error="อีเมลยังไม่ครบ เช่น nattakan@mail.com">
        <Input defaultValue="nattakan@" />
      </Field>
    </div>
  ),
};
