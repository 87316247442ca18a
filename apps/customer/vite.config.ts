import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { app } from '../tooling/vite.ts';

export default defineConfig(app('customer', [fileURLToPath(new URL('src/locales/th.po', import.meta.url))]));
