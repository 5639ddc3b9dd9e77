import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig(({ command }) => ({
  // The files name each other relative to themselves, so that the console works below any path. The service completes the paths of the page.
  base: command === 'serve' ? '/console/' : './',
  // `npx vite console`, beside a service with CONSOLE_URL=http://localhost:5173, shows each change at once.
  cacheDir: '../node_modules/.cache/vite',
  server: { port: 5173, strictPort: true, proxy: { '/v1': 'http://localhost:3000' } },
  build: {
    target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // React's packages mark what runs in browsers, which is everything here.
    rolldownOptions: {
      input: ['index.html', 'preview-frame.html'].map((name) => fileURLToPath(new URL(name, import.meta.url))),
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
  css: { modules: { generateScopedName: '[name]_[local]_[hash:base64:4]' } },
}));
