import type { Meta, StoryObj } from '@storybook/react-vite';
import { Button } from './button.tsx';
import { Chip } from './chip.tsx';
import { Drawer, DrawerContent } from './drawer.tsx';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

const meta = { title: 'Drawer', parameters: { layout: 'fullscreen' } } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const foot = (
  <>
    <span className="flex-1 text-quiet">แก้ล่าสุด 20/11/2026 17:02</span>
    <Button size="office">บันทึก</Button>
  </>
);

export const Form: Story = {
  render: () => (
    <Drawer open>
      <DrawerContent title="แก้ไขแท็ก" foot={foot}>
        <Field label="ชื่อภาษาไทย">
          <Input size="office" defaultValue="สำหรับคู่รัก" />
        </Field>
      </DrawerContent>
    </Drawer>
  ),
};

export const WithPreview: Story = {
  render: () => (
    <Drawer open>
      <DrawerContent
        title="แก้ไขแพ็กเกจ"
        meta={
          <>
            <span className="text-quiet">PK-0142</span>
            <Chip tone="ok">เปิดขาย</Chip>
          </>
        }
        aside="ลูกค้าจะเห็นแบบนี้"
        foot={foot}
      >
        <Field label="ชื่อภาษาไทย">
          <Input size="office" defaultValue="นวดอโรมาน้ำมันอุ่น 90 นาที แพ็ก 3 ครั้ง" />
        </Field>
      </DrawerContent>
    </Drawer>
  ),
};
