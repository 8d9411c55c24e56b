import type { SiteReading } from '#contract/client/site-stream.ts';
import { type Command, createCommand, releaseDer } from '#contract/cloud/commands.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { countdown, timeWithSeconds } from '../../parts/format.ts';
import { Failed } from '../../parts/notice.tsx';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { lastStepOf } from './commands.ts';
import type { Controllable } from './controllable.ts';
import { Steps, stepWords } from './steps.tsx';
import { TrackingLine } from './tracking-line.tsx';

const t = texts({
  en: {
    until: 'Until {time}. The device then returns to automatic.',
    onItsWay: 'Sending to the device…',
    noAnswer: 'The gateway has not responded. The command has no effect until it does.',
    asked: 'Returning to automatic…',
    unheard: 'The gateway has not confirmed. The command ends at {time} in any case.',
    renew: 'Extend by {minutes} min',
    renewBriefly: 'Extend by {seconds} s',
    release: 'Return to automatic',
    left: 'left',
  },
  sv: {
    until: 'Till {time}. Sedan återgår enheten till automatläge.',
    onItsWay: 'Skickas till enheten …',
    noAnswer: 'Gatewayen har inte svarat. Kommandot får ingen effekt förrän den gör det.',
    asked: 'Återgår till automatläge …',
    unheard: 'Gatewayen har inte bekräftat. Kommandot upphör ändå {time}.',
    renew: 'Förläng med {minutes} min',
    renewBriefly: 'Förläng med {seconds} s',
    release: 'Återgå till automatläge',
    left: 'kvar',
  },
});

const radius = 44;
const around = 2 * Math.PI * radius;

/** Countdown of the lease. */
function LeaseRing({ leftMs, ofMs }: { leftMs: number; ofMs: number }) {
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
        <b>{countdown(left)}</b> {t('left')}
      </span>
    </div>
  );
}

const patienceMs = 10_000;

type ActiveCommandProps = {
  part: Controllable;
  command: Command;
  reading: SiteReading | undefined;
  timeZone: string | undefined;
  mayControl: boolean;
  /** when release was requested */
  askedAt: number | undefined;
  onRelease(): void;
  onCommand(command: Command): void;
};

/** Shows the active command of a DER, with buttons to release and to extend it. */
export function ActiveCommand({
  part,
  command,
  reading,
  timeZone,
  mayControl,
  askedAt,
  onRelease,
  onCommand,
}: ActiveCommandProps) {
  const { power_w, ttl_s, status } = command;
  const der_id = part.id;
  const endsAt = Date.parse(command.expires_at);
  const ends = timeWithSeconds(endsAt, timeZone);
  const renew = useAction(async () => {
    onCommand(await api().call(createCommand, { params: { der_id }, body: { power_w, ttl_s } }));
  });
  const letGo = useAction(async () => {
    await api().call(releaseDer, { params: { der_id } });
    onRelease();
  });
  const isWaiting = status !== 'applied' && askedAt === undefined;
  const isLateSince = (ms: number): boolean => now.value - ms > patienceMs;
  return (
    <div class="held-command">
      <div class="held-head">
        <LeaseRing leftMs={endsAt - now.value} ofMs={ttl_s * 1000} />
        <div>
          <h3>{commandWords(part.type, power_w)}</h3>
          <p>{t('until', { time: ends })}</p>
          {isWaiting && <p>{t(isLateSince(Date.parse(command.created_at)) ? 'noAnswer' : 'onItsWay')}</p>}
          {askedAt !== undefined && (
            <p role="status">{t(isLateSince(askedAt) ? 'unheard' : 'asked', { time: ends })}</p>
          )}
          {status === 'applied' && askedAt === undefined && (
            <TrackingLine type={part.type} command={command} reading={reading} />
          )}
        </div>
      </div>
      {mayControl && (
        <div class="actions">
          <ActionButton does={letGo}>{t('release')}</ActionButton>
          <ActionButton does={renew} tone="plain">
            {ttl_s < 60 ? t('renewBriefly', { seconds: ttl_s }) : t('renew', { minutes: Math.round(ttl_s / 60) })}
          </ActionButton>
        </div>
      )}
      {letGo.problem !== undefined && <Failed problem={letGo.problem} />}
      {renew.problem !== undefined && <Failed problem={renew.problem} />}
      <Steps command={command} timeZone={timeZone} />
      <p class="hidden" role="status">
        {stepWords(command, lastStepOf(command))}
      </p>
    </div>
  );
}
