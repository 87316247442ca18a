import type { StorybookConfig } from '@storybook/react-vite';
import { mergeConfig } from 'vite';
import { plugins } from '../../tooling/vite.ts';

const config: StorybookConfig = {
  framework: '@storybook/react-vite',
  stories: ['../src/components/*.stories.tsx'],
  addons: ['@storybook/addon-a11y'],
  core: { disableTelemetry: true },
  viteFinal: (base) => mergeConfig(base, { plugins: plugins() }),
};

export default config;
