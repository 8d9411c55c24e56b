import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import type { Goal } from '../measure/finding.ts';
import { longKept, now, yearlyPlace } from './world.ts';

/** A query of each of these DERs in turn, by their index. */
export type Question = {
  what: string;
  /** its name among the targets */
  part?: string;
  places: readonly number[];
  from: number;
  to: number;
  widthMs: number;
  resolution: string;
  /** ms in the process, and over HTTP for W alone */
  goal: Goal;
  reach?: Goal;
};

const under = (atMost: number): Goal => ({ of: 'value', atMost });

const long = Array.from({ length: longKept }, (_, place) => place);

export const questions: Question[] = [
  {
    what: '24 h in 5 minutes',
    part: '24 h',
    places: long,
    from: now - dayMs,
    to: now,
    widthMs: 5 * minuteMs,
    resolution: '5m',
    goal: under(3),
    reach: under(2),
  },
  {
    what: '30 days by the hour',
    part: '30 days',
    places: long,
    from: now - 30 * dayMs,
    to: now,
    widthMs: hourMs,
    resolution: '1h',
    goal: under(5),
    reach: under(4),
  },
  {
    what: 'a year by the hour',
    places: [yearlyPlace],
    from: now - 365 * dayMs,
    to: now,
    widthMs: hourMs,
    resolution: '1h',
    goal: under(30),
  },
];

/** Returns the number of requests per round: a peer takes a second for all fields of a month. */
export const chosen = [
  { named: 'W alone', field: 'W', amount: 48 },
  { named: 'all fields', field: undefined, amount: 6 },
] as const;
export type Chosen = (typeof chosen)[number];
