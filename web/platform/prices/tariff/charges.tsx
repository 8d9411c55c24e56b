import type { Component, Tariff } from '#contract/price/eltariff.ts';
import { money, number, texts } from '../../../parts/text.ts';
import { type ChargeLine, chargeLines, peakRuleOf } from './charge-lines.ts';
import { allWhenWords, seasonWords } from './when-words.ts';

const t = texts({
  fixed: 'Fixed fees',
  energy: 'Energy charge',
  power: 'Power charge',
  none: 'None.',
  month: 'per month',
  year: 'per year',
  per: 'per {period}',
  perKwh: 'per kWh',
  perKw: 'per kW {period}',
  beforeVat: '{price} excl. VAT',
  spot: '{factor} × spot price',
  dynamic: 'Set daily by the grid operator.',
  onePeak: 'Based on the highest power averaged over {length}{within}.',
  manyPeaks: 'Based on the average of the {count} highest peaks, each averaged over {length}{within}.',
  PT1H: 'one hour',
  PT15M: 'length|15 minutes',
  withinP1D: ', at most one per day',
  withinP1M: ', at most one per month',
  withinP1Y: ' during the year',
  less: 'Only {share} of the power counts {when}.',
  rule: 'Tariff rule: {rule}.',
});

export function Charges({ tariff }: { tariff: Tariff }) {
  const billed = periodWord(tariff.billingPeriod);
  const groups = [
    {
      title: t('fixed'),
      group: tariff.fixedPrice,
      unit: (each: Component) => periodWord(each.pricedPeriod),
      digits: 2,
    },
    { title: t('energy'), group: tariff.energyPrice, unit: () => t('perKwh'), digits: 4 }, // often less than the smallest coin
    { title: t('power'), group: tariff.powerPrice, unit: () => t('perKw', { period: billed }), digits: 2 },
  ];
  return (
    <div class="charges">
      {groups.map(({ title, group, unit, digits }) => (
        <section key={title}>
          <h3>{title}</h3>
          {group.components.length === 0 && <p class="says">{t('none')}</p>}
          <ul>
            {chargeLines(group.components).map((line) => (
              <li key={line.component.id}>
                <Charge line={line} unit={unit(line.component)} {...{ tariff, digits }} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function periodWord(period = ''): string {
  if (period === 'P1M') return t('month');
  return period === 'P1Y' ? t('year') : t('per', { period });
}

type ChargeProps = { line: ChargeLine; unit: string; digits: number; tariff: Tariff };

function Charge({ line: { component, seasons, when }, unit, digits, tariff }: ChargeProps) {
  const { name, price, spotPriceSettings, peakIdentificationSettings: peaks, recurringPeriods } = component;
  const isWhole = ({ fromIncluding, toExcluding }: Tariff['validPeriod']): boolean =>
    fromIncluding <= tariff.validPeriod.fromIncluding && toExcluding >= tariff.validPeriod.toExcluding;
  const times = [
    ...(seasons.some(isWhole) ? [] : [seasons.map(seasonWords).join(', ')]),
    ...(recurringPeriods?.length ? [allWhenWords(when)] : []),
  ];
  return (
    <>
      <span class="charge">
        <span>{name}</span>
        <b>
          {price && `${money(price.priceIncVat, price.currency, digits)} ${unit}`}
          {spotPriceSettings && t('spot', { factor: number(spotPriceSettings.multiplier, 3) })}
          {!price && !spotPriceSettings && t('dynamic')}
        </b>
      </span>
      <span class="says">
        {[
          ...(price ? [t('beforeVat', { price: money(price.priceExVat, price.currency, digits) })] : []),
          ...times,
        ].join('; ')}
        {peaks && `. ${peakWords(peaks, when)}`}
      </span>
    </>
  );
}

function peakWords(peaks: NonNullable<Component['peakIdentificationSettings']>, when: ChargeLine['when']): string {
  const { peakFunction, peakDuration, peakIdentificationPeriod: period } = peaks;
  const count = peaks.numberOfPeaksForAverageCalculation;
  const length = peakDuration === 'PT1H' || peakDuration === 'PT15M' ? t(peakDuration) : peakDuration;
  const isNamed = (period === 'P1D' || period === 'P1M' || period === 'P1Y') && (count > 1 || period === 'P1Y');
  const within = isNamed ? t(`within${period}`) : '';
  const counted = count === 1 ? t('onePeak', { length, within }) : t('manyPeaks', { count, length, within });
  const rule = peakRuleOf(peakFunction);
  if (rule.kind === 'plain') return counted;
  if (rule.kind === 'rule') return `${counted} ${t('rule', { rule: peakFunction })}`;
  const lower = when.filter(({ reference }) => reference === rule.reference);
  const share = `1/${number(rule.divisor)}`;
  return `${counted} ${t('less', { when: allWhenWords(lower), share })}`;
}
