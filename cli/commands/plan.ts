import { readFile, writeFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { type PlanAnswer, type PlanCost, PlanProblem } from '#contract/plan.ts';
import type { FieldError } from '#contract/problem.ts';
import { wallAt } from '#contract/time-zone.ts';
import { fieldErrors, validator } from '#lib/http/validate.ts';
import { checkProblem } from '#plan/check-problem.ts';
import { savingsOf } from '#plan/sentence.ts';
import { type Shell, UsageError } from '../line/command.ts';
import { report } from '../line/report.ts';
import { readReplayFolder } from '../plan/replay-folder.ts';
import { whyOf } from '../plan/why.ts';
import { tableOf } from '../terminal/output.ts';
import { goalCommands } from './plan-goals.ts';
import { show } from './plan-show.ts';
import { siteCommands } from './plan-site.ts';

const readSeconds = (text: string, name: string): number => {
  const seconds = Number(text);
  if (!(seconds >= 0.1 && seconds <= 3600)) throw new UsageError(`${name} must be 0.1 to 3600 seconds.`);
  return seconds;
};

const solve = report('plan solve', {
  summary: 'Plan batteries and cars for given prices, load and sun, at the least cost',
  arguments: [{ name: 'file', help: 'problem as JSON (ohmstead-plan-1); - for standard input' }],
  options: {
    'time-limit': {
      value: 'SECONDS',
      help: 'most time for the solver. Default: 20 for up to 1000 steps, 18 beyond',
      read: readSeconds,
    },
  },
  examples: ['plan solve case.json', 'plan solve case.json --json --time-limit 60'],
  async run({ arguments: { file }, options }, shell) {
    const problem = readProblem(file === '-' ? await readAll(shell.stdin) : await readFile(file, 'utf8'), shell);
    const { plan } = await import('#plan/planner.ts'); // loads the solver
    const seconds = options['time-limit'];
    const answer = await plan(problem, {
      ...(seconds !== undefined && { timeLimitMs: seconds * 1000 }),
      onFailure: reportFailure(shell.stderr),
    });
    return { result: answer, text: planText(problem, answer) };
  },
});

const hindsightMs = 600_000;

const replay = report('plan replay', {
  summary: 'Replay a year of load, sun and prices with the knowledge of each time',
  arguments: [{ name: 'folder', help: 'with case.json and series.csv' }],
  options: {
    out: { value: 'FILE', help: 'writes what happened in each step as CSV' },
    'knowing-the-future': { help: 'also finds the least cost that was possible, which takes minutes' },
  },
  examples: ['plan replay home-year --json --out realised.csv'],
  async run({ arguments: { folder }, options }, { stderr }) {
    const { replayCase, series } = await readReplayFolder(folder);
    const rolling = await import('#plan/rolling/replay.ts');
    const began = performance.now();
    const replayed = rolling.replay(replayCase, series, {
      onProgress: (share) => stderr.isTTY && stderr.write(`\r${Math.round(share * 100)} %`),
    });
    const ms = Math.round(performance.now() - began);
    if (stderr.isTTY) stderr.write('\r');
    if (options.out !== undefined) await writeFile(options.out, rolling.realisedCsv(replayed));
    const { cost, noStorage: no_storage, selfConsumption: self_consumption, problem } = replayed;
    const costs: Record<string, PlanCost> = { cost, no_storage, self_consumption };
    const future = options['knowing-the-future'] ? await planKnowing(problem, stderr) : undefined;
    const rows = Object.entries({ ...costs, ...(future && { knowing_the_future: future.cost }) }).map(
      ([name, parts]) => ({
        plan: name === 'cost' ? 'rolling plan' : name.replaceAll('_', ' '),
        ...Object.fromEntries(Object.entries(parts).map(([part, amount]) => [part, amount.toFixed(2)])),
      }),
    );
    const text = [
      `${tableOf(rows, Object.keys(rows[0]!))}\n`,
      `${problem.steps_s.length} steps in ${(ms / 1000).toFixed(1)} s.`,
      ...(future ? [boundText(future)] : []),
    ].join('\n');
    const known = future && { knowing_the_future: { ...future.cost, status: future.status, gap: future.gap } };
    return { result: { ...costs, ...known, steps: problem.steps_s.length, ms }, text };
  },
});

async function planKnowing(problem: PlanProblem, stderr: Shell['stderr']): Promise<PlanAnswer> {
  const { plan } = await import('#plan/planner.ts');
  return plan(problem, { timeLimitMs: hindsightMs, onFailure: reportFailure(stderr) });
}

const reportFailure =
  (stderr: Shell['stderr']) =>
  ({ message }: Error): unknown =>
    stderr.write(`The solver failed (${message}); a coarser plan follows.\n`);

const boundText = ({ status, gap }: Pick<PlanAnswer, 'status' | 'gap'>): string =>
  status === 'optimal'
    ? 'Knowing the future: no plan is cheaper.'
    : `Knowing the future: not proven (gap ${(gap * 100).toFixed(2)} %). A cheaper plan may exist, so this cost is no lower bound.`;

export const commands = [show, ...goalCommands, ...siteCommands, solve, replay];

const isProblem = validator(PlanProblem, 'body', 'ignore');
const hasKnownFields = validator(PlanProblem, 'body', 'refuse');

function readProblem(text: string, { stderr }: Shell): PlanProblem {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The file is not JSON: ${(error as Error).message}.`);
  }
  const errors = isProblem(value) ? checkProblem(value) : fieldErrors('body', isProblem.errors ?? []);
  if (errors.length > 0) throw new UsageError(`The problem is invalid.\n${errors.map(lineOf).join('\n')}`);
  if (!hasKnownFields(value))
    for (const error of fieldErrors('body', hasKnownFields.errors ?? [])) stderr.write(`Ignored: ${lineOf(error)}\n`);
  return value as PlanProblem;
}

const lineOf = ({ path, message }: FieldError): string => `${path.replace(/^body\.?/, '')} ${message}`.trim();

function planText(problem: PlanProblem, { steps, cost, relaxed, status, gap }: PlanAnswer): string {
  const { start, steps_s, timezone } = problem;
  let at = Date.parse(start);
  const rows = steps.map((step, t) => {
    const { grid_w, storages } = step;
    const time = new Date(wallAt(timezone, at)).toISOString().slice(5, 16).replace('T', ' ');
    at += steps_s[t]! * 1000;
    const levels = Object.entries(storages).map(([id, { charge_w, discharge_w, wh }]) => [
      id,
      `${((charge_w - discharge_w) / 1000).toFixed(1)} kW, ${(wh / 1000).toFixed(1)} kWh`,
    ]);
    return {
      time,
      grid: `${(grid_w / 1000).toFixed(1)} kW`,
      ...Object.fromEntries(levels),
      reason: whyOf(step, (id) => id),
    };
  });
  const fields = Object.keys(rows[0] ?? {});
  const parts = (['energy', 'peaks', 'wear', 'over_import', 'end_value'] as const).map(
    (name) => `${name} ${cost[name].toFixed(2)}`,
  );
  return [
    tableOf(rows, fields),
    '',
    `Cost ${cost.total.toFixed(2)}: ${parts.join(', ')}.`,
    savingsOf(problem, cost).sentence,
    status === 'optimal'
      ? 'No plan is cheaper.'
      : `The time limit was reached; at most ${(gap * 100).toFixed(2)} % above the best.`,
    ...relaxed.map(
      ({ what, storage, wh }) =>
        `Not kept: ${what.replace('_', ' ')}${storage ? ` of ${storage}` : ''}, ${wh.toFixed(0)} Wh.`,
    ),
  ].join('\n');
}
