import type { Meta, StoryObj } from '@storybook/react-vite';
import { CloudCheck } from 'lucide-react';
import { Steps } from './steps.tsx';

const meta = { title: 'Steps', component: Steps } satisfies Meta<typeof Steps>;
export default meta;

const saved = (
  <>
    <CloudCheck aria-hidden />
    เก็บที่กรอกไว้แล้ว
  </>
);

export const First: StoryObj<typeof meta> = {
  args: { now: 1, of: 4, name: 'ตัวคุณ', place: 'ขั้นที่ 1 จาก 4', beside: saved },
};

export const Last: StoryObj<typeof meta> = { args: { now: 4, of: 4, name: 'ยืนยันเบอร์', place: 'ขั้นที่ 4 จาก 4' } };
