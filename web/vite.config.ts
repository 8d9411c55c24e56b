import { defineConfig } from 'vite';
import { coastlines } from './build/coastlines.ts';
import { compress } from './build/compress.ts';
import { devServer } from './build/dev-server.ts';

export default defineConfig({
  root: import.meta.dirname,
  server: devServer(process.env),
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the policy of the pages allows files of their own only
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'gateway.html', 'authorize.html'].map((name) => `${import.meta.dirname}/${name}`),
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700, // the map brings its coastlines, and is loaded by those who look at it
  },
  plugins: [coastlines(), compress()],
});
