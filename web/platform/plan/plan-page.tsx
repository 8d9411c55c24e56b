import { useSignal } from '@preact/signals';
import {
  getPlanGoals,
  getSitePlan,
  type PlanGoals,
  type PlanMode,
  type PlanReport,
  planModes,
  reportsOf,
  type SitePlan,
  updatePlanGoals,
} from '#contract/cloud/plans.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { planSentences } from '#contract/plan-sentences.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { editable } from '../../parts/bound-value.ts';
import { choicesOf, Segments } from '../../parts/field.tsx';
import { KnownSentence } from '../../parts/known-sentence.tsx';
import { Card, Empty, Failed, Figure, Notice, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { LinkButton } from '../../parts/router.tsx';
import { ago, dateAndTime, energy, money, number, texts } from '../../parts/text.ts';
import { Gaps, gapsBefore, hasKind } from '../bill/missing.tsx';
import { ControlTabs } from '../control-tabs.tsx';
import { loadStored, type Stored } from '../if-unchanged.ts';
import { SimulatedTag } from '../market/assumed-tariffs.tsx';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { sitePage } from '../site-page.tsx';
import { ChangeList } from './change-list.tsx';
import { changesOf, type PlanBody, stepsAhead } from './changes.ts';
import { Departure } from './departure.tsx';
import { GoalsCard, portsOf } from './goals-card.tsx';
import { clauseWords } from './plan-words.ts';
import { Progress } from './progress.tsx';
import { ResultsCard } from './results-card.tsx';
import { Said } from './said.tsx';
import { Timeline } from './timeline.tsx';
import './plan.css';

const t = texts({
  title: 'Plan',
  nothing: 'Nothing to plan yet',
  nothingSays: 'A plan needs a battery or a car charger. Add one to this site, and its plan appears here.',
  mode: 'How plans are used',
  off: 'Off',
  show: 'Show only',
  control: 'Control',
  offSays: 'No plan is made. Devices do what they do by themselves.',
  showSays: 'Plans are made and shown, and nothing is controlled. See first what a plan would save.',
  controlSays:
    'The gateway follows the plan, also while the internet is down. What you command by hand comes first, and when a plan ends all devices return to automatic.',
  waiting: 'The next plan is being made.',
  failed: 'The last attempt to make a plan failed. The one before it continues until it ends.',
  pausedNow: 'Paused. Devices are in automatic mode.',
  cost: 'Cost',
  departures: 'Departures',
  pause: 'Pause for today',
  resume: 'Resume',
  next: 'Next changes',
  timeline: 'The next two days',
  expected: 'Expected cost',
  saves: 'Expected saving',
  savesMore: 'Compared with batteries that only cover the house',
  notYet: 'not known yet',
  savesLater: 'When the house has been measured for a day',
  until: 'Until {time}',
  peak: 'Planned peak',
  peakMore: 'The highest import that counts for the power charge',
  noPower: 'No power charge',
  made: 'Made {age}:',
  assumes: 'Assumptions',
  relaxed: 'Not everything could be kept',
  relaxedSays:
    'The limits and goals contradict each other or the forecast. The plan misses them by as little as possible.',
  missGoal: '{name} has {energy} less than the goals ask for.',
  missImport: 'The limit of import is exceeded by {energy} in total.',
  missExport: 'The limit of export is exceeded by {energy} in total.',
  missStorage: 'The limits of {name} are exceeded by {energy}.',
});

const modeSays = { off: 'offSays', show: 'showSays', control: 'controlSays' } as const satisfies Record<
  PlanMode,
  string
>;

export default sitePage(function PlanPage({ site }) {
  const params = { site_id: site.id };
  const turn = Math.floor(now.value / minuteMs);
  const plan = useLoad((signal) => api().call(getSitePlan, { params, signal }), [site.id], turn);
  const goals = useLoad((signal) => loadStored(getPlanGoals, { params, signal }), [site.id]);
  const mayControl = useMay(site.org_id, 'control');
  const gaps = gapsBefore(site);
  const again = (): void => {
    goals.again();
    plan.again();
  };
  const hasPlan = plan.value?.plan != null;
  const ofGoals = (value: Stored<PlanGoals>) => ({ goals: value, mayControl, onSaved: again });
  const mode = <Loaded from={goals}>{(value) => <ModeCard {...ofGoals(value)} />}</Loaded>;
  return (
    <>
      <PageHead title={t('title')} says={site.name}>
        {goals.value && mayControl && <PauseButton site={site} goals={goals.value} onSaved={again} />}
      </PageHead>
      <ControlTabs siteId={site.id} />
      {!hasKind(site, 'battery') && !hasKind(site, 'charger') ? (
        <Empty title={t('nothing')} says={t('nothingSays')}>
          <LinkButton to={`/app/sites/${site.id}/devices`} label={t('goToDevices')} />
        </Empty>
      ) : (
        <>
          <Gaps siteId={site.id} of={gaps} />
          {!hasPlan && mode}
          <Loaded from={plan}>{(value) => <Plan site={site} found={value} />}</Loaded>
          {hasPlan && goals.value && <Departures site={site} {...ofGoals(goals.value)} />}
          {hasPlan && mode}
          {goals.value && <GoalsCard site={site} isLacking={isLacking(plan.value)} {...ofGoals(goals.value)} />}
          <ResultsCard siteId={site.id} turn={Math.floor(now.value / hourMs)} />
        </>
      )}
    </>
  );
});

type GoalsProps = { goals: Stored<PlanGoals>; mayControl: boolean | undefined; onSaved(): void };

/** Switches plans off, to being shown, or to control. */
function ModeCard({ goals, mayControl, onSaved }: GoalsProps) {
  const shown = useSignal(goals.mode); // at once, like every choice; a failure takes it back
  const change = useAction(async () => {
    try {
      await api().call(updatePlanGoals, { params: { site_id: goals.site_id }, body: { mode: shown.value } });
    } catch (error) {
      shown.value = goals.mode;
      throw error;
    }
    onSaved();
  });
  const choose = (mode: PlanMode): void => {
    shown.value = mode;
    void change.run();
  };
  return (
    <Card title={t('mode')}>
      <fieldset class="plan-mode" disabled={mayControl === false || change.isBusy}>
        <Segments
          label={t('mode')}
          value={editable(shown.value, choose)}
          choices={choicesOf(planModes, (mode) => t(mode))}
        />
      </fieldset>
      <p>{t(modeSays[shown.value])}</p>
      <Failed problem={change.problem} />
    </Card>
  );
}

/** Returns all devices to automatic until the end of the local day, or ends that. */
function PauseButton({ site, goals, onSaved }: { site: SiteDetails; goals: PlanGoals; onSaved(): void }) {
  const isPaused = isPausedAt(goals, now.value);
  const change = useAction(async () => {
    const tomorrow = dateAt(site.timezone, startOfDate(site.timezone, dateAt(site.timezone, now.peek())) + 1.5 * dayMs);
    const paused_until = isPaused ? null : new Date(startOfDate(site.timezone, tomorrow)).toISOString();
    await api().call(updatePlanGoals, { params: { site_id: site.id }, body: { paused_until } });
    onSaved();
  });
  if (goals.mode !== 'control') return null;
  return <ActionButton does={change} tone="plain" label={t(isPaused ? 'resume' : 'pause')} />;
}

const isLacking = (found: SitePlan | undefined): boolean =>
  found?.status === 'waiting' || (found?.plan?.not_planned?.length ?? 0) > 0;

const isPausedAt = ({ paused_until }: PlanGoals, nowMs: number): boolean =>
  paused_until !== null && Date.parse(paused_until) > nowMs;

function Plan({ site, found }: { site: SiteDetails; found: SitePlan }) {
  const { status, message, plan } = found;
  return (
    <>
      {status === 'waiting' && <Notice>{message ? <Message text={message} /> : t('waiting')}</Notice>}
      {status === 'failed' && (
        <Notice tone="warning">
          <p>{t('failed')}</p>
          {message && <Message text={message} />}
        </Notice>
      )}
      {status === 'paused' && <Notice>{message ? <Message text={message} /> : t('pausedNow')}</Notice>}
      {plan && <CurrentPlan site={site} plan={plan} reports={reportsOf(found)} />}
    </>
  );
}

/** Says each line of a message in the language of the page. */
const Message = ({ text }: { text: string }) => (
  <>
    {text.split('\n').map((line) => (
      <p key={line}>
        <KnownSentence text={line} among={planSentences} />
      </p>
    ))}
  </>
);

const missTexts = {
  goal: 'missGoal',
  import_limit: 'missImport',
  export_limit: 'missExport',
  storage_limit: 'missStorage',
  must_charge: 'missStorage',
} as const satisfies Record<PlanBody['relaxed'][number]['what'], Parameters<typeof t>[0]>;

type CurrentProps = { site: SiteDetails; plan: PlanBody; reports: PlanReport[] };

function CurrentPlan({ site, plan, reports }: CurrentProps) {
  const { timezone } = site;
  const { currency, cost, saves, says, planned_peak_kw: peak } = plan;
  const seen = { currency, timeZone: timezone };
  const nowMs = Math.floor(now.value / minuteMs) * minuteMs;
  const steps = stepsAhead(plan, nowMs);
  const end = Date.parse(plan.steps.at(-1)?.end ?? plan.made_at);
  const nameOf = (id: string | null): string => plan.storages.find(({ der_id }) => der_id === id)?.name ?? '';
  const until = t('until', { time: dateAndTime(end, timezone) });
  return (
    <>
      <Card title={t('next')}>
        {reports.map((report) => (
          <Progress key={report.gateway_serial} report={report} site={site} />
        ))}
        <ChangeList changes={changesOf(plan, nowMs).slice(0, 6)} nowMs={nowMs} seen={seen} />
        {plan.not_planned?.map((sentence, n) => (
          <Notice key={sentence}>
            <Said says={says?.not_planned?.[n]} text={sentence} seen={seen} />
          </Notice>
        ))}
      </Card>
      <Card title={t('timeline')}>
        <SimulatedTag of={{ is_simulated: plan.is_price_simulated }} />
        <Timeline plan={plan} steps={steps} timeZone={timezone} />
      </Card>
      <Card title={t('cost')}>
        <div class="figures">
          <Figure label={t('expected')} value={money(cost.total, currency)} more={until} />
          <Figure
            label={t('saves')}
            value={saves === null ? t('notYet') : money(saves, currency)}
            more={t(saves === null ? 'savesLater' : 'savesMore')}
          />
          <Figure
            label={t('peak')}
            value={peak === null ? t('noPower') : `${number(peak, 1)} kW`}
            more={peak !== null && t('peakMore')}
          />
        </div>
        {says ? <p>{clauseWords(says.sentence, seen)}</p> : <p lang="en">{plan.sentence}</p>}
        {plan.relaxed.length > 0 && (
          <Notice tone="warning">
            <p>{t('relaxed')}</p>
            <p>{t('relaxedSays')}</p>
            {plan.relaxed.map(({ what, storage, wh }) => (
              <p key={`${what} ${storage}`}>{t(missTexts[what], { name: nameOf(storage), energy: energy(wh) })}</p>
            ))}
          </Notice>
        )}
        <details class="details">
          <summary>{t('assumes')}</summary>
          <ul>
            {plan.assumed.map((sentence, n) => (
              <li key={sentence}>
                <Said says={says?.assumed[n]} text={sentence} seen={seen} />
              </li>
            ))}
          </ul>
        </details>
        <p class="says">
          {t('made', { age: ago(Math.min(nowMs, Date.parse(plan.made_at)), nowMs) })}{' '}
          <Said says={says?.because} text={plan.because} seen={seen} />
        </p>
      </Card>
    </>
  );
}

/** The departures of cars, each to be moved. */
function Departures({ site, ...rest }: GoalsProps & { site: SiteDetails }) {
  const { cars } = rest.goals;
  if (cars.length === 0) return null;
  const names = new Map(portsOf(site).map(({ id, name }) => [id, name]));
  return (
    <Card title={t('departures')}>
      {cars.map(({ der_id }, index) => (
        <Departure key={`${der_id} ${index}`} {...rest} index={index} name={names.get(der_id) ?? der_id} />
      ))}
    </Card>
  );
}
