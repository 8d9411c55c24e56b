import { getLocalPlan, type LocalPlan, setLocalPlan } from '#contract/gateway/plan.ts';
import { type IntentMode, planMessages } from '#contract/gateway-plan.ts';
import { planSentences } from '#contract/plan-sentences.ts';
import { ActionSwitch, useAction } from '../../parts/action.tsx';
import { effectWords } from '../../parts/command-words.ts';
import { KnownSentence } from '../../parts/known-sentence.tsx';
import { Card, Notice } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/load.tsx';
import { texts, timeOfDay } from '../../parts/text.ts';
import { gateway, toBrowserTime } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';

const t = texts({
  title: 'Plan',
  says: 'The platform plans when to charge and discharge. This gateway carries out the plan by itself, also without internet, and protects the main fuse.',
  follow: 'Follow plans of the platform',
  off: 'Plans are not followed. Devices are in automatic unless somebody sends a command.',
  noPlan: 'No plan at the moment: devices are in automatic.',
  until: 'Until {time}',
  why: 'Why',
  ended: 'The plan has ended, and no new one has been received. Devices are in automatic.',
  waiting: 'The plan is waiting. Devices are in automatic.',
  overridden: 'A command or a release by a person takes precedence over the plan for some devices.',
  refused: 'The plan of the platform is refused.',
  battery: 'The battery',
  car: 'The car',
  solar: 'The solar panels',
  automatic: '{who} is in automatic.',
});

const modes = texts({
  charge: 'The plan charges.',
  store: 'The plan stores surplus solar power.',
  cover: 'The plan covers the consumption of the house.',
  discharge: 'The plan discharges.',
  hold: 'The plan saves the energy for later.',
}) satisfies (mode: IntentMode) => string;

const typeOf = { battery: 'battery', car: 'ev_charger_port', solar: 'solar' } as const;

/** Shows what the plan does now and why, with the switch to refuse plans. */
export function PlanCard() {
  const plan = usePoll((signal) => gateway.call(getLocalPlan, { signal }));
  return (
    <Card title={t('title')} says={t('says')}>
      <Loaded from={plan}>{(known) => <Plan known={known} onChanged={plan.again} />}</Loaded>
    </Card>
  );
}

function Plan({ known, onChanged }: { known: LocalPlan; onChanged(): void }) {
  const { enabled, progress, now } = known;
  const follow = useAction(async () => {
    await gateway.call(setLocalPlan, { body: { enabled: !enabled } });
    onChanged();
  });
  return (
    <>
      {!enabled && <p>{t('off')}</p>}
      {enabled && !progress && <p>{t('noPlan')}</p>}
      {enabled && progress && progress.state !== 'following' && (
        <Notice tone={progress.state === 'refused' ? 'problem' : 'warning'}>
          <span>
            {t(progress.state)} {progress.message && <KnownSentence text={progress.message} among={planMessages} />}
          </span>
        </Notice>
      )}
      {enabled && progress?.state === 'following' && progress.message && (
        <Notice tone="warning">
          <KnownSentence text={progress.message} among={planMessages} />
        </Notice>
      )}
      {enabled && now && <NowDoing now={now} isLeft={progress?.state === 'overridden'} />}
      <ActionSwitch label={t('follow')} isOn={enabled} does={follow} />
    </>
  );
}

type NowProps = { now: NonNullable<LocalPlan['now']>; isLeft: boolean };

/** Shows what each device does and why; not why when the plan leaves all of them to people. */
function NowDoing({ now: { until, reason, devices }, isLeft }: NowProps) {
  const isIdle = isLeft && devices.every(({ power_w }) => power_w === undefined);
  return (
    <>
      <ul class="brief">
        {devices.map(({ sn, kind, mode, power_w }) => (
          <li key={`${kind} ${sn}`}>
            <b>{power_w === undefined ? t('automatic', { who: t(kind) }) : `${effectWords(typeOf[kind], power_w)}.`}</b>{' '}
            {power_w !== undefined && mode && <span class="soft">{modes(mode)}</span>}
          </li>
        ))}
      </ul>
      <p class="number">{t('until', { time: timeOfDay(toBrowserTime(until)) })}</p>
      {reason && !isIdle && (
        <p>
          {t('why')}: <KnownSentence text={reason} among={planSentences} />
        </p>
      )}
    </>
  );
}
