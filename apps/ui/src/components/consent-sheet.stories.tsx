import type { Meta, StoryObj } from '@storybook/react-vite';
import { CircleAlert } from 'lucide-react';
import { ConsentSheet } from './consent-sheet.tsx';
import { Note } from './note.tsx';
import { OrgMark } from './org-mark.tsx';

const sentence = 'เราเก็บชื่อและรูปจาก LINE เพื่อให้คุณซื้อ เก็บ และใช้วอเชอร์ได้ และไม่ส่งต่อให้ใครเพื่อการโฆษณา ';

const meta = {
  title: 'ConsentSheet',
  component: ConsentSheet,
  args: {
    mark: <OrgMark logo={null} name="เรือนละไม สปา" size={56} />,
    brand: 'เรือนละไม สปา',
    texts: [
      { id: 'a', kind: 'pdpa', title: 'ความเป็นส่วนตัวของลูกค้า', body: sentence },
      { id: 'b', kind: 'terms', title: 'ข้อกำหนดการใช้งาน', body: 'วอเชอร์แต่ละใบใช้ได้ตามวันที่เขียนไว้' },
    ],
    busy: false,
    onAccept: () => undefined,
    onLeave: () => undefined,
  },
} satisfies Meta<typeof ConsentSheet>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Two: Story = {};

export const Long: Story = {
  args: { texts: [{ id: 'a', kind: 'pdpa', title: 'ความเป็นส่วนตัวของลูกค้า', body: sentence.repeat(60) }] },
};

export const Busy: Story = { args: { busy: true } };

export const Failed: Story = {
  args: {
    problem: (
      <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />}>
        ยังบันทึกไม่ได้ ลองอีกครั้ง
      </Note>
    ),
  },
};
