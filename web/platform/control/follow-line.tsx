import type { SiteReading } from '#contract/client/site-stream.ts';
import type { Command } from '#contract/cloud/commands.ts';
import type { CommandedType } from '#contract/command.ts';
import { directionWords } from '../../parts/der-words.ts';
import { power } from '../../parts/format.ts';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { type Following, followingOf } from './command-list.ts';

const t = texts({
  en: {
    unknown: 'Not seen yet: no reading has come since.',
    silent: 'Not known: nothing new is heard of the device.',
    settling: 'Getting there: {direction}, {now} of {asked}.',
    follows: 'The device follows: {direction}, {now} now, {asked} asked.',
    less: 'The device does less: {direction}, {now} of {asked}. It may be full, empty or at a limit of its own.',
    differs: 'The device does something else: {direction}, {now} now, {asked} asked.',
    within: 'The device follows: {now} now, {asked} at most.',
    coming: 'Getting there: {now} now, {asked} at most.',
    above: 'The device generates more than it should: {now} now, {asked} at most.',
  },
  sv: {
    unknown: 'Syns inte ännu: ingen avläsning har kommit sedan dess.',
    silent: 'Okänt: inget nytt hörs från enheten.',
    settling: 'På väg dit: {direction}, {now} av {asked}.',
    follows: 'Enheten följer: {direction}, {now} nu, {asked} begärt.',
    less: 'Enheten gör mindre: {direction}, {now} av {asked}. Den kan vara full, tom eller vid en egen gräns.',
    differs: 'Enheten gör något annat: {direction}, {now} nu, {asked} begärt.',
    within: 'Enheten följer: {now} nu, högst {asked}.',
    coming: 'På väg dit: {now} nu, högst {asked}.',
    above: 'Enheten producerar mer än den ska: {now} nu, högst {asked}.',
  },
});

const toneOf: Record<Following, string> = {
  unknown: '',
  silent: '',
  settling: '',
  follows: 'good',
  less: 'warning',
  differs: 'warning',
};

/** Of solar power the most is asked. */
const ofCurtailment = {
  unknown: 'unknown',
  silent: 'silent',
  settling: 'coming',
  follows: 'within',
  less: 'within',
  differs: 'above',
} as const;

type Props = { type: CommandedType; command: Command; reading: SiteReading | undefined };

/** What the device does against what it was asked. */
export function FollowLine({ type, command, reading }: Props) {
  const appliedAt = command.history.find(({ status }) => status === 'applied')!.at;
  const seen = reading?.W === undefined ? undefined : { atMs: reading.timestamp, W: reading.W };
  const following = followingOf(type, command.power_w, Date.parse(appliedAt), seen, now.value);
  return (
    <p class={`follow-line ${toneOf[following]}`}>
      {t(type === 'solar' ? ofCurtailment[following] : following, {
        direction: seen ? directionWords(type, seen.W) : '',
        now: power(seen?.W),
        asked: power(command.power_w),
      })}
    </p>
  );
}
