import type { Component, Tariff } from '#contract/price/eltariff.ts';
import { money, number } from '../../../parts/format.ts';
import { texts } from '../../../parts/text.ts';
import { type ChargeLine, chargeLines, peakRuleOf } from './charge-lines.ts';
import { allWhenWords, seasonWords } from './when-words.ts';

const t = texts({
  en: {
    fixed: 'Fixed fees',
    energy: 'For energy',
    power: 'For power',
    none: 'Nothing.',
    month: 'a month',
    year: 'a year',
    per: 'for {period}',
    perKwh: 'a kWh',
    perKw: 'a kW, {period}',
    beforeVat: '{price} before VAT',
    spot: '{factor} times the spot price',
    dynamic: 'Told by the grid operator from day to day.',
    onePeak: 'Counted is the highest power, as the mean of {length}{within}.',
    manyPeaks: 'Counted is the mean of the {count} highest powers, each that of {length}{within}.',
    PT1H: 'an hour',
    PT15M: 'a quarter of an hour',
    withinP1D: ', no two of them on the same day',
    withinP1M: ', no two of them in the same month',
    withinP1Y: ' of the year',
    less: 'At {when} only {share} of the power counts.',
    rule: 'The rule of the tariff: {rule}.',
  },
  sv: {
    fixed: 'Fasta avgifter',
    energy: 'För energi',
    power: 'För effekt',
    none: 'Inget.',
    month: 'i månaden',
    year: 'om året',
    per: 'för {period}',
    perKwh: 'per kWh',
    perKw: 'per kW {period}',
    beforeVat: '{price} före moms',
    spot: '{factor} gånger spotpriset',
    dynamic: 'Elnätsföretaget anger priset från dag till dag.',
    onePeak: 'Den högsta effekten, mätt över {length}, räknas{within}.',
    manyPeaks: 'Medelvärdet av de {count} högsta effekterna, mätta över {length}, räknas{within}.',
    PT1H: 'en timme',
    PT15M: 'en kvart',
    withinP1D: ', högst en per dygn',
    withinP1M: ', högst en per månad',
    withinP1Y: ' under året',
    less: '{when} räknas bara {share} av effekten.',
    rule: 'Tariffens regel: {rule}.',
  },
});

/** What a tariff charges for, in words. */
export function Charges({ tariff }: { tariff: Tariff }) {
  const billed = periodWord(tariff.billingPeriod);
  const groups = [
    {
      title: t('fixed'),
      group: tariff.fixedPrice,
      unit: (each: Component) => periodWord(each.pricedPeriod),
      digits: 2,
    },
    { title: t('energy'), group: tariff.energyPrice, unit: () => t('perKwh'), digits: 4 }, // less than the smallest coin
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
  const {
    peakFunction,
    peakIdentificationPeriod: period,
    peakDuration,
    numberOfPeaksForAverageCalculation: count,
  } = peaks;
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
