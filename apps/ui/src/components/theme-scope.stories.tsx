import type { Meta, StoryObj } from '@storybook/react-vite';
import examples from '../theme/examples.json';
import { Button } from './button.tsx';
import { Chip } from './chip.tsx';
import { Price } from './price.tsx';
import { ThemeScope } from './theme-scope.tsx';

const meta = { title: 'ThemeScope' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const ice = examples.find(({ primary }) => primary === '#f7a8b8');

function Sample({ dark }: { dark: boolean }) {
  return (
    <ThemeScope tokens={dark ? ice?.night : ice?.day} dark={dark} className="grid gap-3 rounded-card bg-background p-5">
      <Chip tone="ok">พร้อมใช้</Chip>
      <Price satang={129_000} className="text-brand-text" />
      <Button size="office">ซื้อเลย</Button>
    </ThemeScope>
  );
}

export const DayAndNight: Story = {
  render: () => (
    <div className="grid grid-cols-2 gap-4">
      <Sample dark={false} />
      <Sample dark />
    </div>
  ),
};
