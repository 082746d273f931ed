import { defineConfig } from 'vite';

/** Builds the console into static files (deploy/build/build-console.mjs). Addresses are relative: a proxy may serve it below a path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: 'public',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    reportCompressedSize: false,
  },
});
