import { defineConfig } from 'vite';

export default defineConfig({
  // The files name each other relative to themselves, so that the console works below any path. The service completes the paths of the page.
  base: './',
  build: {
    target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // React's packages mark what runs in browsers, which is everything here.
    rolldownOptions: { onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning) },
  },
  css: { modules: { generateScopedName: '[name]_[local]_[hash:base64:4]' } },
});
