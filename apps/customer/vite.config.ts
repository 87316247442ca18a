import { defineConfig } from 'vite';
import { app } from '../tooling/vite.ts';

export default defineConfig(app('customer', true));
