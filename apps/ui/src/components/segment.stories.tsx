import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { Segment } from './segment.tsx';

const meta = { title: 'Segment' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function LanguageSegment() {
  const [value, setValue] = useState<'th' | 'en'>('th');
  return (
    <Segment
      title="ภาษา"
      value={value}
      options={[
        { value: 'th', label: 'ไทย' },
        { value: 'en', label: 'English' },
      ]}
      onChange={setValue}
    />
  );
}

export const Language: Story = { render: () => <LanguageSegment /> };
