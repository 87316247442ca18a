import type { Meta, StoryObj } from '@storybook/react-vite';
import { Store } from 'lucide-react';
import { Button } from './button.tsx';
import { EmptyState, ErrorState } from './state.tsx';

const meta = { title: 'State' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Empty: Story = {
  render: () => (
    <EmptyState
      title="ยังไม่มีเวาเชอร์พร้อมใช้"
      line="เวาเชอร์ที่ซื้อหรือได้รับเป็นของขวัญ จะมารออยู่ตรงนี้"
      action={
        <Button>
          <Store aria-hidden />
          ไปเลือกแพ็กเกจ
        </Button>
      }
    />
  ),
};

export const Failed: Story = {
  render: () => (
    <ErrorState
      title="โหลดเวาเชอร์ไม่สำเร็จ"
      line="สัญญาณอาจหลุดชั่วคราว เวาเชอร์ของคุณยังอยู่ครบ ลองอีกครั้งได้เลย"
      reference="7F3-K21"
      help={<a href="/contact">ช่องทางติดต่อ</a>}
      onRetry={() => undefined}
    />
  ),
};
