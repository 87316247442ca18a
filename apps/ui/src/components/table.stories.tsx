import type { Meta, StoryObj } from '@storybook/react-vite';
import { Chip } from './chip.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from './table.tsx';

const meta = { title: 'Table' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Rows: Story = {
  render: () => (
    <Table>
      <TableHead>
        <tr>
          <TableHeader>แพ็กเกจ</TableHeader>
          <TableHeader>สถานะ</TableHeader>
          <TableHeader numeric>ราคา</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        <TableRow>
          <TableCell className="font-medium">นวดอโรมา</TableCell>
          <TableCell>
            <Chip tone="ok">กำลังขาย</Chip>
          </TableCell>
          <TableCell numeric>3,290.00</TableCell>
        </TableRow>
        <TableRow selected>
          <TableCell className="font-medium">หินร้อน</TableCell>
          <TableCell>
            <Chip>หยุดขาย</Chip>
          </TableCell>
          <TableCell numeric>1,890.00</TableCell>
        </TableRow>
      </TableBody>
    </Table>
  ),
};
