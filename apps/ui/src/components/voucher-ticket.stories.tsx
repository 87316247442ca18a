import type { Meta, StoryObj } from '@storybook/react-vite';
import { QrCode } from 'lucide-react';
import { Button } from './button.tsx';
import { Chip } from './chip.tsx';
import { OrgMark } from './org-mark.tsx';
import { VoucherTicket, VoucherTicketSkeleton } from './voucher-ticket.tsx';

const meta = { title: 'VoucherTicket' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Normal: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <VoucherTicket
        name="นวดอโรมาน้ำมันอุ่น 90 นาที"
        place="ใช้ได้ทุกสาขา"
        picture={null}
        mark={<OrgMark logo={null} name="เรือนละไม" size={48} />}
        chip={<Chip tone="ok">พร้อมใช้</Chip>}
        kind="item"
        left={2}
        total={3}
        expiry="ใช้ได้ถึง 31/03/2027"
        action={
          <Button variant="soft" size="xs">
            <QrCode aria-hidden />
            ใช้
          </Button>
        }
        link={(content) => <a href="#detail">{content}</a>}
      />
    </div>
  ),
};

export const Many: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <VoucherTicket
        name="ห้องซาวน่าสมุนไพร"
        place="ใช้ได้ทุกสาขา"
        picture={null}
        mark={<OrgMark logo={null} name="เรือนละไม" size={48} />}
        chip={<Chip tone="ok">พร้อมใช้</Chip>}
        kind="item"
        left={148}
        total={200}
        expiry="ใช้ได้ถึง 31/03/2027"
        action={
          <Button variant="soft" size="xs">
            <QrCode aria-hidden />
            ใช้
          </Button>
        }
        link={(content) => <a href="#detail">{content}</a>}
      />
    </div>
  ),
};

export const Baht: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <VoucherTicket
        name="บัตรของขวัญ 1,000 บาท"
        place="ใช้ได้ทุกสาขา"
        picture={null}
        mark={<OrgMark logo={null} name="เรือนละไม" size={48} />}
        chip={<Chip tone="ok">พร้อมใช้</Chip>}
        kind="baht"
        left={62550}
        total={100000}
        expiry="ใช้ได้ถึง 31/03/2027"
        action={
          <Button variant="soft" size="xs">
            <QrCode aria-hidden />
            ใช้
          </Button>
        }
        link={(content) => <a href="#detail">{content}</a>}
      />
    </div>
  ),
};

export const Long: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <VoucherTicket
        name="คอร์สนวดบำบัดออฟฟิศซินโดรมแบบองค์รวม พร้อมประคบสมุนไพรสดและแช่เท้าน้ำขิง 12 ครั้ง"
        place="ใช้ได้ทุกสาขา"
        picture={null}
        mark={<OrgMark logo={null} name="เรือนละไม" size={48} />}
        chip={<Chip tone="ok">พร้อมใช้</Chip>}
        kind="item"
        left={9}
        total={12}
        expiry="ใช้ได้ถึง 31/03/2027"
        action={
          <Button variant="soft" size="xs">
            <QrCode aria-hidden />
            ใช้
          </Button>
        }
        link={(content) => <a href="#detail">{content}</a>}
      />
    </div>
  ),
};

export const Loading: Story = {
  render: () => (
    <div className="max-w-[358px]">
      <VoucherTicketSkeleton />
    </div>
  ),
};
