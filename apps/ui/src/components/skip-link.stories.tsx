import type { Meta, StoryObj } from '@storybook/react-vite';
import { SkipLink } from './skip-link.tsx';

const meta = { title: 'SkipLink' } satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Press Tab. */
export const Focused: Story = {
  render: () => (
    <>
      <SkipLink />
      <main id="content" className="pt-16">
        เนื้อหา
      </main>
    </>
  ),
};
