import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { SitePlanStep } from '#contract/cloud/plans.ts';
import { hourMs } from '#contract/time.ts';
import { wallAt } from '#contract/time-zone.ts';
import { pointProps } from '../../parts/pointing.ts';
import { day, money, number, power, texts, timeOfDay } from '../../parts/text.ts';
import { endOf, type PlanBody, type PlanStorage, powerOf, startOf } from './changes.ts';
import { stepWords, whyWords } from './plan-words.ts';
import { Said } from './said.tsx';

const t = texts({
  label: 'Plan, by the quarter of an hour. Use the arrow keys to read it.',
  price: 'Price, {unit}',
  assumed: 'Assumed price',
  sun: 'Expected sun',
  load: 'Expected use',
  band: 'Four times out of five, the actual value is within the band.',
  level: '{name}, level',
  from: '{from}–{to}',
  priceOf: '{price} per kWh',
  assumedPrice: '{price} per kWh, assumed',
  sunOf: 'Sun {power}',
  sunUsed: 'Sun {power}, {used} of it used',
  loadOf: 'house {power}',
  buys: 'buys {power}',
  sells: 'sells {power}',
});

type TimelineProps = { plan: PlanBody; steps: readonly SitePlanStep[]; timeZone: string | undefined };

/** Shows prices, forecasts and levels of the next two days, and explains the step that is pointed at. */
export function Timeline({ plan, steps, timeZone }: TimelineProps) {
  const chosen = useSignal(0);
  const [first, last] = [steps[0], steps.at(-1)];
  const step = steps[Math.min(chosen.value, steps.length - 1)];
  if (!first || !last || !step) return null;
  const [from, to] = [startOf(first), endOf(last)];
  const across = (ms: number): number => (100 * (ms - from)) / (to - from);
  const choose = (index: number): void => {
    chosen.value = Math.min(steps.length - 1, Math.max(0, index));
  };
  const point = (share: number): void => {
    const at = from + share * (to - from);
    choose(steps.findIndex((each) => endOf(each) > at));
  };
  const hourly = Math.max(1, Math.round(hourMs / (endOf(step) - startOf(step))));
  const keys = {
    ArrowLeft: () => choose(chosen.value - 1),
    ArrowRight: () => choose(chosen.value + 1),
    PageDown: () => choose(chosen.value - hourly),
    PageUp: () => choose(chosen.value + hourly),
    Home: () => choose(0),
    End: () => choose(steps.length - 1),
  };
  const hasReasons = Object.values(step.storages).some(({ reason }) => reason);
  const said = ({ code, says, text }: SitePlanStep['reason']) => (
    <>
      {code !== 'none' && <b>{whyWords(code)}.</b>}{' '}
      <Said says={says} text={text} seen={{ currency: plan.currency, timeZone, fromMs: startOf(step) }} />
    </>
  );
  return (
    <div class="plan-timeline">
      <div
        class="plan-lanes"
        role="slider"
        tabIndex={0}
        aria-label={t('label')}
        aria-valuemin={0}
        aria-valuemax={steps.length - 1}
        aria-valuenow={Math.min(chosen.value, steps.length - 1)}
        aria-valuetext={[timesOf(step, timeZone), ...factsOf(step, plan)].join(', ')}
        {...pointProps({ point, keys })}
      >
        <PriceLane steps={steps} currency={plan.currency} across={across} />
        <ForecastLane steps={steps} across={across} />
        {plan.storages.map((storage) => (
          <LevelLane key={storage.der_id} storage={storage} steps={steps} across={across} />
        ))}
        <span
          class="plan-chosen"
          style={{ left: `${across(startOf(step))}%`, width: `${across(endOf(step)) - across(startOf(step))}%` }}
        />
      </div>
      <div class="plan-hours" aria-hidden="true">
        {marksOf(steps, timeZone).map((ms) => (
          <span key={ms} style={{ left: `${across(ms)}%` }}>
            {timeOfDay(ms, timeZone)}
          </span>
        ))}
      </div>
      <div class="plan-step">
        <h3>{timesOf(step, timeZone)}</h3>
        {plan.storages.map((storage) => {
          const { reason } = step.storages[storage.der_id] ?? {};
          return (
            <div key={storage.der_id}>
              <p>
                <i class={`plan-mark ${kindOf(storage)}`} /> {stepWords(step, storage)}
              </p>
              {reason && <p class="plan-why">{said(reason)}</p>}
            </div>
          );
        })}
        {!hasReasons && <p class="plan-why">{said(step.reason)}</p>}
        <p class="says">{factsOf(step, plan, false).join(' · ')}</p>
      </div>
    </div>
  );
}

function timesOf(step: SitePlanStep, timeZone: string | undefined): string {
  const times = t('from', { from: timeOfDay(startOf(step), timeZone), to: timeOfDay(endOf(step), timeZone) });
  return `${day(startOf(step), timeZone)}, ${times}`;
}

const curtailedW = 50; // less is rounding

function factsOf(step: SitePlanStep, { currency, storages }: PlanBody, withStorages = true): string[] {
  const price = money(step.import_price, currency);
  return [
    ...(withStorages ? storages.map((storage) => reasonedWords(step, storage)) : []),
    t(step.is_price_assumed ? 'assumedPrice' : 'priceOf', { price }),
    step.solar_used_w < step.solar_w - curtailedW
      ? t('sunUsed', { power: power(step.solar_w), used: power(step.solar_used_w) })
      : t('sunOf', { power: power(step.solar_w) }),
    t('loadOf', { power: power(step.load_w) }),
    t(step.grid_w < 0 ? 'sells' : 'buys', { power: power(step.grid_w) }),
  ];
}

/** Says what a storage does in a step, and the kind of its reason. */
function reasonedWords(step: SitePlanStep, storage: PlanStorage): string {
  const { reason } = step.storages[storage.der_id] ?? {};
  return [stepWords(step, storage), ...(reason ? [whyWords(reason.code)] : [])].join(', ');
}

/** Returns the beginnings of every sixth hour of the local day. */
function marksOf(steps: readonly SitePlanStep[], timeZone: string | undefined): number[] {
  const everyMs = 6 * hourMs;
  return steps.filter((step) => wallAt(timeZone, startOf(step)) % everyMs < endOf(step) - startOf(step)).map(startOf);
}

type LaneProps = { steps: readonly SitePlanStep[]; across(ms: number): number };

const Lane = ({ label, scale, children }: { label: ComponentChildren; scale: string; children: ComponentChildren }) => (
  <div class="plan-lane">
    <div class="plan-lane-head" aria-hidden="true">
      <span>{label}</span>
      <span>{scale}</span>
    </div>
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {children}
    </svg>
  </div>
);

function PriceLane({ steps, currency, across }: LaneProps & { currency: string }) {
  const prices = steps.map(({ import_price }) => import_price);
  const [low, high] = [Math.min(0, ...prices), Math.max(0.01, ...prices)];
  const down = (price: number): number => 100 - (100 * (price - low)) / (high - low);
  const hasAssumed = steps.some(({ is_price_assumed }) => is_price_assumed);
  const label = (
    <>
      <i class="plan-mark price" /> {t('price', { unit: `${currency}/kWh` })}
      {hasAssumed && (
        <>
          {' '}
          <i class="plan-mark price assumed" /> {t('assumed')}
        </>
      )}
    </>
  );
  return (
    <Lane label={label} scale={`${number(Math.min(...prices), 2)}–${number(high, 2)}`}>
      {steps.map((step) => {
        const [x, end] = [across(startOf(step)), across(endOf(step))];
        const [top, bottom] = [down(Math.max(0, step.import_price)), down(Math.min(0, step.import_price))];
        return (
          <rect
            key={step.start}
            class={step.is_price_assumed ? 'price assumed' : 'price'}
            x={x}
            width={end - x}
            y={top}
            height={Math.max(0.5, bottom - top)}
          />
        );
      })}
    </Lane>
  );
}

/** Returns a path through the middle of all steps. */
const pathOf = ({ steps, across }: LaneProps, down: (step: SitePlanStep) => number): string =>
  steps.map((step) => `${across((startOf(step) + endOf(step)) / 2).toFixed(2)} ${down(step).toFixed(2)}`).join('L');

function bandOf(lane: LaneProps, low: (step: SitePlanStep) => number, high: (step: SitePlanStep) => number): string {
  const back = { ...lane, steps: lane.steps.toReversed() };
  return `M${pathOf(lane, high)}L${pathOf(back, low)}Z`;
}

function ForecastLane(lane: LaneProps) {
  const most = Math.max(
    1000,
    ...lane.steps.map(({ load_high_w, solar_high_w }) => Math.max(load_high_w, solar_high_w)),
  );
  const down = (watts: number): number => 100 - (100 * watts) / most;
  const label = (
    <>
      <i class="plan-mark sun" /> {t('sun')} <i class="plan-mark load" /> {t('load')}
      <span class="hidden">{t('band')}</span>
    </>
  );
  return (
    <Lane label={label} scale={`0–${power(most)}`}>
      <path
        class="sun band"
        d={bandOf(
          lane,
          ({ solar_low_w }) => down(solar_low_w),
          ({ solar_high_w }) => down(solar_high_w),
        )}
      />
      <path
        class="load band"
        d={bandOf(
          lane,
          ({ load_low_w }) => down(load_low_w),
          ({ load_high_w }) => down(load_high_w),
        )}
      />
      <path class="sun line" d={`M${pathOf(lane, ({ solar_w }) => down(solar_w))}`} />
      <path class="load line" d={`M${pathOf(lane, ({ load_w }) => down(load_w))}`} />
    </Lane>
  );
}

const kindOf = ({ kind }: PlanStorage): 'car' | 'battery' => (kind === 'car' ? 'car' : 'battery');

const leastBar = 3; // of the height, for the least power that is drawn

function LevelLane({ storage, ...lane }: LaneProps & { storage: PlanStorage }) {
  const kind = kindOf(storage);
  const levelOf = ({ storages }: SitePlanStep): number => (storages[storage.der_id]?.wh ?? 0) / storage.capacity_wh;
  const most = Math.max(1, ...lane.steps.map((step) => Math.abs(powerOf(step, storage))));
  const label = (
    <>
      <i class={`plan-mark ${kind}`} /> {t('level', { name: storage.name })}
    </>
  );
  return (
    <Lane label={label} scale="0–100 %">
      {lane.steps.map((step) => {
        const watts = powerOf(step, storage);
        if (Math.abs(watts) < 50) return null;
        const height = Math.max(leastBar, (24 * Math.abs(watts)) / most);
        const x = lane.across(startOf(step));
        return (
          <rect
            key={step.start}
            class={`${kind} ${watts > 0 ? 'in' : 'out'}`}
            x={x}
            width={lane.across(endOf(step)) - x}
            y={watts > 0 ? 100 - height : 0}
            height={height}
          />
        );
      })}
      <path class={`${kind} line`} d={`M${pathOf(lane, (step) => 100 - 100 * levelOf(step))}`} />
    </Lane>
  );
}
