import type { SiteReading } from '#contract/client/site-stream.ts';
import type { Command } from '#contract/cloud/commands.ts';
import type { CommandedType } from '#contract/command.ts';
import { directionWords } from '../../parts/der-words.ts';
import { power } from '../../parts/format.ts';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { type Tracking, trackingOf } from './commands.ts';

const t = texts({
  en: {
    unknown: 'Waiting for the first reading.',
    silent: 'No recent data from the device.',
    settling: 'Adjusting: {direction}, {now} of {asked}.',
    follows: 'On target: {direction}, {now} of {asked}.',
    less: 'Below target: {direction}, {now} of {asked}. The device may be full, empty or at its own limit.',
    differs: 'Not following: {direction}, {now} instead of {asked}.',
    within: 'On target: {now}, limit {asked}.',
    coming: 'Adjusting: {now}, limit {asked}.',
    above: 'Above the limit: {now}, limit {asked}.',
  },
  sv: {
    unknown: 'Väntar på den första avläsningen.',
    silent: 'Inga nya data från enheten.',
    settling: 'Ställer in sig: {direction}, {now} av {asked}.',
    follows: 'Följer kommandot: {direction}, {now} av {asked}.',
    less: 'Under målet: {direction}, {now} av {asked}. Enheten kan vara full, tom eller vid sin egen gräns.',
    differs: 'Följer inte kommandot: {direction}, {now} i stället för {asked}.',
    within: 'Följer kommandot: {now}, gräns {asked}.',
    coming: 'Ställer in sig: {now}, gräns {asked}.',
    above: 'Över gränsen: {now}, gräns {asked}.',
  },
});

const toneOf: Record<Tracking, string> = {
  unknown: '',
  silent: '',
  settling: '',
  follows: 'good',
  less: 'warning',
  differs: 'warning',
};

/** A solar setpoint is an upper limit. */
const curtailmentKeys = {
  unknown: 'unknown',
  silent: 'silent',
  settling: 'coming',
  follows: 'within',
  less: 'within',
  differs: 'above',
} as const;

type Props = { type: CommandedType; command: Command; reading: SiteReading | undefined };

/** Compares the measured power with the setpoint. */
export function TrackingLine({ type, command, reading }: Props) {
  const applied = command.history.find(({ status }) => status === 'applied');
  if (!applied) return null;
  const seen = reading?.W === undefined ? undefined : { atMs: reading.timestamp, W: reading.W };
  const following = trackingOf(type, command.power_w, Date.parse(applied.at), seen, now.value);
  return (
    <p class={`follow-line ${toneOf[following]}`}>
      {t(type === 'solar' ? curtailmentKeys[following] : following, {
        direction: seen ? directionWords(type, seen.W) : '',
        now: power(seen?.W),
        asked: power(command.power_w),
      })}
    </p>
  );
}
