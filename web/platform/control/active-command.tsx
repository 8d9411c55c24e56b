import { type Command, createCommand, isUndelivered, releaseDer } from '#contract/cloud/commands.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { directionWords } from '../../parts/der-words.ts';
import { now } from '../../parts/now.ts';
import { countdown, power, texts, timeWithSeconds } from '../../parts/text.ts';
import { api } from '../session.ts';
import { lastStepOf, type Tracking, trackingOf } from './commands.ts';
import type { Controllable, SiteControl } from './controllable.ts';
import { Steps, stepWords } from './steps.tsx';

const t = texts({
  until: 'Until {time}. The device then returns to automatic.',
  onItsWay: 'Sending to the device…',
  away: 'The gateway is offline. The command has no effect, is not sent again when the gateway connects, and expires at {time}.',
  noAnswer: 'The gateway has not responded. The command has no effect until it does.',
  asked: 'Returning to automatic…',
  unheard: 'The gateway has not confirmed. The command ends at {time} in any case.',
  renew: 'Extend by {minutes} min',
  renewBriefly: 'Extend by {seconds} s',
  left: 'left',
  hoursLeft: '{hours} h {minutes}',
  unknown: 'Waiting for the first reading.',
  silent: 'No recent data from the device.',
  settling: 'Adjusting: {direction}, {now} of {asked}.',
  follows: 'On target: {direction}, {now} of {asked}.',
  less: 'Below target: {direction}, {now} of {asked}. The device may be full, empty or at its own limit.',
  differs: 'Not following: {direction}, {now} instead of {asked}.',
  within: 'On target: {now}, limit {asked}.',
  coming: 'Adjusting: {now}, limit {asked}.',
  above: 'Above the limit: {now}, limit {asked}.',
});

/** The tone of each state, and its text for solar panels, whose setpoint is an upper limit. */
const trackingStyles = {
  unknown: { tone: '', ofSolar: 'unknown' },
  silent: { tone: '', ofSolar: 'silent' },
  settling: { tone: '', ofSolar: 'coming' },
  follows: { tone: 'good', ofSolar: 'within' },
  less: { tone: 'warning', ofSolar: 'within' },
  differs: { tone: 'warning', ofSolar: 'above' },
} as const satisfies Record<Tracking, unknown>;

export type CommandProps = { part: Controllable; command: Command; control: SiteControl };

export function TrackingLine({ part: { id, type }, command, control }: CommandProps) {
  const reading = control.readings.get(id);
  const applied = command.history.find(({ status }) => status === 'applied');
  if (!applied) return null;
  const seen = reading?.W === undefined ? undefined : { atMs: reading.timestamp, W: reading.W };
  const following = trackingOf(type, command.power_w, Date.parse(applied.at), seen, now.value);
  return (
    <p class={`tracking-line ${trackingStyles[following].tone}`}>
      {t(type === 'solar' ? trackingStyles[following].ofSolar : following, {
        direction: seen ? directionWords(type, seen.W) : '',
        now: power(seen?.W),
        asked: power(command.power_w),
      })}
    </p>
  );
}

const radius = 44;
const around = 2 * Math.PI * radius;

function leftWords(left: number): string {
  if (left < hourMs) return countdown(left);
  const minutes = Math.ceil(left / minuteMs);
  return t('hoursLeft', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

export function LeaseRing({ leftMs, ofMs }: { leftMs: number; ofMs: number }) {
  const left = Math.min(Math.max(leftMs, 0), ofMs);
  return (
    <div class="lease-ring" role="timer">
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle class="whole" cx="50" cy="50" r={radius} />
        <circle
          class="rest"
          cx="50"
          cy="50"
          r={radius}
          stroke-dasharray={around}
          stroke-dashoffset={around * (1 - left / ofMs)}
        />
      </svg>
      <span>
        <b class={left < hourMs ? '' : 'long'}>{leftWords(left)}</b> {t('left')}
      </span>
    </div>
  );
}

const patienceMs = 10_000;

export function ActiveCommand({ part, command, control }: CommandProps) {
  const { power_w, ttl_s, status } = command;
  const der_id = part.id;
  const timeZone = control.site.timezone;
  const releaseRequestedAt = control.releaseRequests.get(command.id);
  const endsAt = Date.parse(command.expires_at);
  const ends = timeWithSeconds(endsAt, timeZone);
  const renew = useAction(async () => {
    control.addCommand(await api().call(createCommand, { params: { der_id }, body: { power_w, ttl_s } }));
  });
  const letGo = useAction(async () => {
    await api().call(releaseDer, { params: { der_id } });
    control.noteRelease([command]);
  });
  const isWaiting = status !== 'applied' && releaseRequestedAt === undefined;
  const isAway = isUndelivered(command);
  const isLateSince = (ms: number): boolean => now.value - ms > patienceMs;
  return (
    <div class="active-command">
      <div class="active-head">
        <LeaseRing leftMs={endsAt - now.value} ofMs={ttl_s * 1000} />
        <div>
          <h3>{commandWords(part.type, power_w)}</h3>
          <p>{t(isAway ? 'away' : 'until', { time: ends })}</p>
          {isWaiting && !isAway && <p>{t(isLateSince(Date.parse(command.created_at)) ? 'noAnswer' : 'onItsWay')}</p>}
          {releaseRequestedAt !== undefined && (
            <p role="status">{t(isLateSince(releaseRequestedAt) ? 'unheard' : 'asked', { time: ends })}</p>
          )}
          {status === 'applied' && releaseRequestedAt === undefined && <TrackingLine {...{ part, command, control }} />}
        </div>
      </div>
      {control.mayControl && (
        <div class="actions">
          <ActionButton does={letGo} label={t('returnToAutomatic')} />
          <ActionButton
            does={renew}
            tone="plain"
            label={ttl_s < 60 ? t('renewBriefly', { seconds: ttl_s }) : t('renew', { minutes: Math.round(ttl_s / 60) })}
          />
        </div>
      )}
      <Steps command={command} timeZone={timeZone} />
      <p class="hidden" role="status">
        {stepWords(command, lastStepOf(command))}
      </p>
    </div>
  );
}
