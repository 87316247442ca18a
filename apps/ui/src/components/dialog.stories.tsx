import type { Meta, StoryObj } from '@storybook/react-vite';
import { Button } from './button.tsx';
import { Dialog, DialogContent } from './dialog.tsx';

const meta = { title: 'Dialog' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Question: Story = {
  render: () => (
    <Dialog defaultOpen>
      <DialogContent
        shape="dialog"
        title="โอนเวาเชอร์"
        description="โอนทั้ง 2 ครั้งที่เหลือไปพร้อมกัน"
        foot={<Button wide>ตกลง</Button>}
      >
        <p>ผู้รับต้องกดรับภายใน 72 ชั่วโมง ถ้าไม่รับ เวาเชอร์จะกลับมาที่คุณ</p>
      </DialogContent>
    </Dialog>
  ),
};

export const Sheet: Story = {
  render: () => (
    <Dialog defaultOpen>
      <DialogContent
        shape="sheet"
        title="ตัวกรอง"
        description="โอนทั้ง 2 ครั้งที่เหลือไปพร้อมกัน"
        foot={<Button wide>ตกลง</Button>}
      >
        <p>ผู้รับต้องกดรับภายใน 72 ชั่วโมง ถ้าไม่รับ เวาเชอร์จะกลับมาที่คุณ</p>
      </DialogContent>
    </Dialog>
  ),
};

export const Menu: Story = {
  render: () => (
    <Dialog defaultOpen>
      <DialogContent shape="menu" title="เมนู" description="โอนทั้ง 2 ครั้งที่เหลือไปพร้อมกัน" foot={<Button wide>ตกลง</Button>}>
        <p>ผู้รับต้องกดรับภายใน 72 ชั่วโมง ถ้าไม่รับ เวาเชอร์จะกลับมาที่คุณ</p>
      </DialogContent>
    </Dialog>
  ),
};
