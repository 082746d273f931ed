import { defineConfig } from 'vite';
import { worldShapes } from './world-shapes.js';

/** Builds the console into static files (deploy/build/build-console.mjs). Addresses are relative: a proxy may serve it below a path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: 'public',
  logLevel: 'warn',
  plugins: [worldShapes()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    reportCompressedSize: false,
  },
});
