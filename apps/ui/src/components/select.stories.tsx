import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { Select } from './select.tsx';

const meta = { title: 'Select' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Closed: Story = {
  render: function Closed() {
    const [value, setValue] = useState('sold');
    return (
      <div className="max-w-xs">
        <Select
          label="เรียงตาม"
          value={value}
          onChange={setValue}
          options={[
            { value: 'sold', label: 'ขายดี' },
            { value: 'low', label: 'ราคาน้อยไปมาก' },
            { value: 'new', label: 'มาใหม่' },
          ]}
        />
      </div>
    );
  },
};
