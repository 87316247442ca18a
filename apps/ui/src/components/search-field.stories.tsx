import type { Meta, StoryObj } from '@storybook/react-vite';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { SearchField } from './search-field.tsx';

const meta = { title: 'SearchField' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function Market() {
  const [words, setWords] = useState('');
  return (
    <div className="grid max-w-sm gap-3">
      <SearchField
        label="ค้นหาแพ็กเกจ บริการ สาขา"
        value={words}
        onSearch={setWords}
        after={
          <IconButton label="ตัวกรอง">
            <SlidersHorizontal aria-hidden />
          </IconButton>
        }
        className="pr-1!"
      />
      <p className="text-caption text-quiet">กำลังค้นหา: {words || '–'}</p>
    </div>
  );
}

export const Phone: Story = { render: () => <Market /> };

export const Office: Story = {
  render: () => (
    <SearchField size="office" label="ค้นในรายการ" placeholder="ค้นด้วยชื่อหรือรหัส" value="นวด" onSearch={() => undefined} />
  ),
};
