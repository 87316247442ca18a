import type { Meta, StoryObj } from '@storybook/react-vite';
import { Card } from './card.tsx';
import { Disclosure } from './disclosure.tsx';

const meta = { title: 'Disclosure' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Questions: Story = {
  render: () => (
    <Card className="max-w-md divide-y px-4">
      <Disclosure title="ต้องจองล่วงหน้าไหม">จองล่วงหน้าอย่างน้อย 1 วัน ที่จุดบริการที่จะไปใช้</Disclosure>
      <Disclosure title="ปู่ ญี่ปุ่น ที่นี่ กู้ป้ำ: คำถามที่ยาวกว่าหนึ่งบรรทัดบนโทรศัพท์ เครื่องหมายอยู่ที่เดิม">
        {'ย่อหน้าแรก\n\nย่อหน้าที่สอง'}
      </Disclosure>
    </Card>
  ),
};

export const Open: Story = {
  render: () => (
    <Card className="max-w-md px-4">
      <Disclosure title="เงื่อนไขการใช้" open>
        จองล่วงหน้าอย่างน้อย 1 วัน
      </Disclosure>
    </Card>
  ),
};

export const Small: Story = {
  render: () => (
    <Disclosure title="ดูเป็นตาราง" size="small">
      <p>ยอดขายของแต่ละวัน</p>
    </Disclosure>
  ),
};
