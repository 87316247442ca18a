import type { Meta, StoryObj } from '@storybook/react-vite';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { MoneyInput } from './money-input.tsx';
import { Popover, PopoverContent, PopoverTrigger } from './popover.tsx';

const meta = { title: 'Popover' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const Filter: Story = {
  render: () => (
    <Popover defaultOpen>
      <PopoverTrigger asChild>
        <Button variant="outline" size="row">
          ราคา
        </Button>
      </PopoverTrigger>
      <PopoverContent>
        <Field label="ตั้งแต่">
          <MoneyInput size="office" value={30_000} onChange={() => undefined} />
        </Field>
      </PopoverContent>
    </Popover>
  ),
};
