import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../source-files.ts';
import type { Proof } from '../proof.ts';

/** Runs every test once; the titles of those that failed. */
async function runTests(): Promise<string[]> {
  const child = spawn(process.execPath, [join(root, 'test/run.ts'), '--only', '/'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
  const failed = [...said.matchAll(/^\s*✖ (.+?) \([\d.]+ms\)$/gm)].map(([, title]) => title!);
  if (code !== 0 && failed.length === 0) return [`The run ended with ${code}: ${said.slice(-500)}`];
  return [...new Set(failed)];
}

export const flaky: Proof = {
  id: 'S38',
  what: 'Tests that failed in reruns of all of them',
  full: 10,
  seconds: 6000,
  async attempt(runs) {
    const notes: string[] = [];
    for (let run = 1; run <= runs; run++) for (const title of await runTests()) notes.push(`run ${run}: ${title}`);
    return { tried: runs, failed: notes.length, notes };
  },
};
