import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { catalogues } from './build/catalogues.ts';
import { coastlines } from './build/coastlines.ts';
import { shell } from './build/shell.ts';

const minBytes = 1024; // smaller files gain little, and each copy is a file more

/** Writes a Brotli and a gzip copy of each text file, so that a small gateway need not compress while it serves. */
function compress(): Plugin {
  let folder = '';
  return {
    name: 'compress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    async closeBundle() {
      const files = globSync('**/*.{html,js,css,svg,json,webmanifest}', { cwd: folder });
      await Promise.all(files.map((file) => compressFile(join(folder, file))));
    },
  };
}

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < minBytes) return;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await Promise.all([
    promisify(brotliCompress)(bytes, quality).then((packed) => writeFile(`${file}.br`, packed)),
    promisify(gzip)(bytes, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
  ]);
}

const platformPaths =
  'identity|auth|organizations|sites|gateways|devices|ders|stream|public|price|eltariff|simulation|oauth|health|metrics|docs|redoc|openapi.json|.well-known';

const platform = process.env.OHMSTEAD_URL ?? 'http://localhost:8080';

/** Marks the document like the platform if that runs the simulation. */
function simulated(): Plugin {
  return {
    name: 'simulated',
    apply: 'serve',
    async transformIndexHtml(html) {
      const answer = await fetch(`${platform}/simulation`).catch(() => undefined);
      return answer?.ok ? html.replace('<html', '<html data-simulated') : html;
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // `npm run dev:web` serves the sources and forwards API requests to a running platform and gateway.
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      [`^/(${platformPaths.replaceAll('.', '\\.')})(/|\\?|$)`]: platform,
      '^/api/': process.env.OHMSTEAD_GATEWAY ?? 'http://localhost:8081',
    },
  },
  json: { namedExports: false }, // a catalogue is one object
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy allows files of the same origin only
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'gateway.html', 'authorize.html', 'platform/service-worker.ts'].map(
        (name) => `${import.meta.dirname}/${name}`,
      ),
      output: {
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700, // kB; the map contains its coastlines and is loaded on demand
  },
  plugins: [catalogues(), coastlines(), shell(), compress(), simulated()],
});
