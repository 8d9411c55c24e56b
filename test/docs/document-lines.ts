import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** The code blocks of a text in a language. */
export const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code!);

/** Feeds lines to bash as a person pastes them. */
export async function pasteToBash(
  lines: readonly string[],
  { cwd, env, timeout }: { cwd?: string; env: Record<string, string>; timeout: number },
): Promise<{ code: number | null; output: string }> {
  const bash = spawn('bash', ['-euo', 'pipefail', '-s'], { cwd, env: { PATH: process.env.PATH, ...env }, timeout });
  let output = '';
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  bash.stdin.on('error', () => {}); // a script that fails stops reading early; its exit code is checked
  bash.stdin.end(lines.join(''));
  const [code] = (await once(bash, 'close')) as [number | null];
  return { code, output };
}

/** Reason why lines that need these tools are skipped, or false. In CI nothing is skipped. */
export function toolsMissing(...tools: string[]): string | false {
  const missing = tools.filter((tool) => spawnSync(tool, ['--help']).error);
  if (missing.length === 0) return false;
  const sentence = `The lines need ${missing.join(' and ')}, which cannot be found.`;
  if (process.env.CI) throw new Error(sentence);
  return sentence;
}
