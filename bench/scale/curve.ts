import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compared, type Finding } from '../measure/finding.ts';
import { inTurns } from '../measure/rounds.ts';

/** The cost of an operation: CPU time of the server process, and duration. */
export type Cost = { cpuUs: number; wallMs: number };

/** A platform of this size; it closes with the stack, and may write into the folder. */
export type Size = { times: number; dataDir: string; open: AsyncDisposableStack };

/** Operations by name; each call measures again. */
export type OpenWorld = (size: Size) => Promise<Record<string, () => Promise<Cost>>>;

const rounds = 5;
const warmups = 2; // warms up the compiler

/** Measures the same operations with ten and a hundred times the data, alternating with the smallest. */
export async function curves(said: (times: number) => string, openWorld: OpenWorld): Promise<Finding[]> {
  await using open = new AsyncDisposableStack();
  const folder = open.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-')));
  const world = async (times: number) => {
    const dataDir = join(folder.path, String(times));
    await mkdir(dataDir);
    return openWorld({ times, dataDir, open });
  };
  const [one, ten, hundred] = [await world(1), await world(10), await world(100)];
  const findings: Finding[] = [];
  for (const what of Object.keys(one)) {
    const contenders = { one: one[what]!, ten: ten[what]!, hundred: hundred[what]! };
    await inTurns(warmups, contenders);
    const costs = await inTurns(rounds, contenders);
    findings.push(...grown(what, said, 10, costs.one, costs.ten), ...grown(what, said, 100, costs.one, costs.hundred));
  }
  return findings;
}

function grown(what: string, said: (times: number) => string, times: number, one: Cost[], many: Cost[]): Finding[] {
  const row = (name: string, unit: string, pick: (cost: Cost) => number): Finding =>
    compared(
      `${what}, ${said(times)}, ${name}`,
      unit,
      many.map(pick),
      { name: said(1), values: one.map(pick) },
      times === 100 ? { of: 'ratio', atMost: 1.5 } : undefined,
    );
  return [row('CPU', 'µs', ({ cpuUs }) => cpuUs), row('wait', 'ms', ({ wallMs }) => wallMs)];
}
