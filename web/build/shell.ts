import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

// The pages that the installed app opens without the platform, and what each of them loads.
const roots = [
  '/index.html',
  '/platform/now/now-page.tsx',
  '/platform/offline/offline-page.tsx',
  '/languages/sv.json?first',
];
const icons = ['/icon.svg', '/icon-192.png', '/manifest.webmanifest'];

/** Tells the service worker which files of this build to keep, and a version that changes with them. */
export function shell(): Plugin {
  return {
    name: 'shell',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const worker = bundle['service-worker.js'];
      if (worker?.type !== 'chunk') return;
      const files = new Set<string>();
      const add = (name: string): void => {
        const chunk = bundle[name];
        if (files.has(name) || chunk?.type !== 'chunk') return;
        files.add(name);
        for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
        chunk.imports.forEach(add);
      };
      for (const root of roots) {
        const chunk = Object.values(bundle).find(
          (each) => each.type === 'chunk' && each.facadeModuleId?.replaceAll('\\', '/').endsWith(root),
        );
        if (!chunk) throw new Error(`The build has no chunk of ${root}, which the service worker keeps.`);
        add(chunk.fileName);
      }
      const paths = [...files].toSorted().map((name) => `/${name}`);
      const version = createHash('sha256').update(paths.join()).digest('hex').slice(0, 12);
      worker.code = worker.code.replaceAll('__SHELL__', JSON.stringify({ version, files: [...icons, ...paths] }));
    },
  };
}
