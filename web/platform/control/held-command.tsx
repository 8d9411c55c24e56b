import type { SiteReading } from '#contract/client/site-stream.ts';
import { type Command, createCommand, releaseDer } from '#contract/cloud/commands.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { countdown, timeWithSeconds } from '../../parts/format.ts';
import { Failed } from '../../parts/notice.tsx';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { Controllable } from './controllable.ts';
import { FollowLine } from './follow-line.tsx';
import { Steps, stepWords } from './steps.tsx';

const radius = 44;
const around = 2 * Math.PI * radius;

/** How much longer a command holds: the ring empties with the time. */
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

const t = texts({
  en: {
    until: 'Until {time}, then the device goes back to its own mode by itself.',
    onItsWay: 'On its way to the device.',
    noAnswer: 'The gateway has not answered. If it stays silent, nothing will happen.',
    asked: 'The gateway is asked to let go.',
    unheard: 'The gateway has not said that it let go. Its time ends at {time} all the same.',
    renew: 'Renew for {minutes} min',
    renewBriefly: 'Renew for {seconds} s',
    letGo: 'Let go',
    left: 'left',
  },
  sv: {
    until: 'Till {time}, sedan går enheten tillbaka till sitt eget läge av sig själv.',
    onItsWay: 'På väg till enheten.',
    noAnswer: 'Gatewayen har inte svarat. Om den förblir tyst händer ingenting.',
    asked: 'Gatewayen är ombedd att släppa.',
    unheard: 'Gatewayen har inte sagt att den har släppt. Tiden tar slut {time} i vilket fall.',
    renew: 'Förläng med {minutes} min',
    renewBriefly: 'Förläng med {seconds} s',
    letGo: 'Släpp',
    left: 'kvar',
  },
});

const patienceMs = 10_000;

type Props = {
  part: Controllable;
  command: Command;
  reading: SiteReading | undefined;
  timeZone: string | undefined;
  mayControl: boolean;
  /** when it was asked to let go, if it was */
  askedAt: number | undefined;
  onRelease(): void;
  onCommand(command: Command): void;
};

/** The command that holds a DER: for how long, whether it is followed, and the way out. */
export function HeldCommand({ part, command, reading, timeZone, mayControl, askedAt, onRelease, onCommand }: Props) {
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
            <FollowLine type={part.type} command={command} reading={reading} />
          )}
        </div>
      </div>
      {mayControl && (
        <div class="actions">
          <ActionButton does={letGo}>{t('letGo')}</ActionButton>
          <ActionButton does={renew} tone="plain">
            {ttl_s < 60 ? t('renewBriefly', { seconds: ttl_s }) : t('renew', { minutes: Math.round(ttl_s / 60) })}
          </ActionButton>
        </div>
      )}
      {letGo.problem !== undefined && <Failed problem={letGo.problem} />}
      {renew.problem !== undefined && <Failed problem={renew.problem} />}
      <Steps command={command} timeZone={timeZone} />
      <p class="hidden" role="status">
        {stepWords(command, command.history.at(-1)!)}
      </p>
    </div>
  );
}
