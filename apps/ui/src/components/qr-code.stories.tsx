import type { Meta, StoryObj } from '@storybook/react-vite';
import { QRCode } from './qr-code.tsx';

const meta = { title: 'QrCode' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Use: Story = {
  render: () => (
    <div className="w-fit bg-white p-9">
      <QRCode text="V1.AZLc3u4bd0iM2mCkq1m8Ew.59840761.m7bq4JQkQ2xw8JmYt6v1Zg" size={264} label="QR สำหรับใช้เวาเชอร์" />
    </div>
  ),
};
