import { defineConfig } from 'vite';
import { coastlines } from './build/coastlines.ts';
import { compress } from './build/compress.ts';

const platformPaths =
  'identity|auth|organizations|sites|gateways|devices|ders|stream|public|price|eltariff|simulation|oauth|health|metrics|docs|redoc|openapi.json|.well-known';

export default defineConfig({
  root: import.meta.dirname,
  // `npm run dev:web` serves the sources and forwards API requests to a running platform and gateway.
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      [`^/(${platformPaths.replaceAll('.', '\\.')})(/|\\?|$)`]: process.env.OHMSTEAD_URL ?? 'http://localhost:8080',
      '^/api/': process.env.OHMSTEAD_GATEWAY ?? 'http://localhost:8081',
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy allows files of the same origin only
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'gateway.html', 'authorize.html'].map((name) => `${import.meta.dirname}/${name}`),
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700, // kB; the map contains its coastlines and is loaded on demand
  },
  plugins: [coastlines(), compress()],
});
