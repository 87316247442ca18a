import type { Meta, StoryObj } from '@storybook/react-vite';
import { Button } from './button.tsx';
import { toast } from './toast.tsx';
import { Toaster } from './toaster.tsx';

const meta = { title: 'Toast' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Faces: Story = {
  render: () => (
    <>
      <div className="flex flex-wrap gap-3">
        <Button
          size="sm"
          onClick={() =>
            toast({
              tone: 'ok',
              title: 'ซื้อสำเร็จ',
              line: 'เวาเชอร์อยู่ในมือคุณแล้ว',
              action: { label: 'เปิดดู', onClick: () => undefined },
            })
          }
        >
          สำเร็จ
        </Button>
        <Button
          size="sm"
          variant="outline"
          onClick={() => toast({ tone: 'warn', title: 'ราคาเปลี่ยนเป็น 3,490.00', line: 'เรายังไม่ได้ตัดเงิน' })}
        >
          ระวัง
        </Button>
        <Button size="sm" variant="outline" onClick={() => toast({ tone: 'bad', title: 'ส่งออกไม่สำเร็จ' })}>
          ไม่สำเร็จ (ค้างไว้)
        </Button>
      </div>
      <Toaster />
    </>
  ),
};
