import type { Figures } from '#sim/fleet/fleet.ts';
import { isClean, type Verdict } from '#sim/fleet/ledger.ts';
import { columns } from '../terminal/output.ts';

export type Outcome = Verdict & {
  gateways: number;
  devices: number;
  seconds: number;
  sent: number;
  /** readings that nobody took, until we gave up waiting */
  unacknowledged: number;
  /** from a reading to its acknowledgement */
  p50_ms: number;
  p99_ms: number;
};

/** Everything was taken, and what was taken is there once. */
export const isGood = (outcome: Outcome): boolean => outcome.unacknowledged === 0 && isClean(outcome);

export function progressLine(figures: Figures, gateways: number, seconds: number): string {
  const { sent, acknowledged, waiting, connected, recent } = figures;
  const time = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
  return (
    `${time}  connected ${connected} of ${gateways}  sent ${sent}  acknowledged ${acknowledged}  waiting ${waiting}  ` +
    `p50 ${ms(recent.p50Ms)}  p99 ${ms(recent.p99Ms)}`
  );
}

export function summaryOf(outcome: Outcome): string {
  const { gateways, devices, seconds, sent, acknowledged, unacknowledged, p50_ms, p99_ms } = outcome;
  const rows = [
    ['gateways', String(gateways)],
    ['meters', String(gateways * devices)],
    ['time', `${Math.round(seconds)} s`],
    ['sent', `${sent} (${(sent / seconds).toFixed(1)} a second)`],
    ['acknowledged', `${acknowledged} (median ${ms(p50_ms)}, 99 of 100 within ${ms(p99_ms)})`],
    ['stored', String(outcome.stored)],
    ['lost', String(outcome.lost)],
    ['twice', String(outcome.twice)],
    ['phantom', String(outcome.phantom)],
    ['out of order', String(outcome.reordered)],
  ];
  const end = isGood(outcome)
    ? 'Every reading that was acknowledged is in the history, once.'
    : `Not everything is as it should be: ${unacknowledged} were not acknowledged, ${outcome.lost} were lost, ${outcome.twice} are there twice, ${outcome.phantom} were never sent, ${outcome.reordered} are out of order.`;
  return `${columns(rows)}\n\n${end}`;
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
