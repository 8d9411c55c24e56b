import { dateAndTime, texts } from '../../parts/text.ts';
import { lastDayText } from './bill-words.ts';

const t = texts({
  noTariff: 'No grid tariff is set, so grid fees are not included.',
  noVat: 'The VAT of this country is not known and not included.',
  soldAtSpot: 'Sold electricity is paid at the spot price, without VAT, grid benefit or tax reduction.',
  assumedPrices: 'Spot prices from {time} on are not published yet and assumed to be the mean of recent days.',
  noDays: 'No recent day was measured, so the remaining time is assumed to use no energy.',
  likeDays:
    'The remaining time is assumed to use as much energy as the last measured days ({weekdays} weekdays, {weekends} weekend days).',
  expired:
    'The price list “{name}” expired on {date}. No newer one is known, so its prices are assumed to still apply. They may have changed.',
  replaced:
    'The price list was replaced by several, which depend on the main fuse. “{name}” is assumed; others are {others}.',
  leftOut: 'Plans leave out “{component}” of “{tariff}”: its form is not supported.',
  leftOutUnpriced: 'Plans leave out “{component}” of “{tariff}”: the tariff has no price for it.',
  leftOutReactive: 'Plans leave out “{component}” of “{tariff}”: it charges for reactive power.',
});

type Say = (...found: string[]) => string;

// The platform sends its remarks as English sentences; these are the ones that a bill or a plan can have.
const remarks: readonly (readonly [sentence: RegExp, say: Say])[] = [
  [/^No grid tariff was given/, () => t('noTariff')],
  [/^The VAT of .* is not known and not included/, () => t('noVat')],
  [/^Exported energy is paid at the spot price, without VAT/, () => t('soldAtSpot')],
  [
    /^Spot prices from (\S+) on are assumed/,
    (time = '') => t('assumedPrices', { time: dateAndTime(Date.parse(time)) }),
  ],
  [/^No recent day was measured/, () => t('noDays')],
  [
    /^The remaining time is assumed to use .* \((\d+) weekdays, (\d+) days of weekends\)/,
    (weekdays = '', weekends = '') => t('likeDays', { weekdays, weekends }),
  ],
  [
    /^"(.*)" was valid from \S+ to (\S+) \(excluding\)\. Newer prices are not known/,
    (name = '', until = '') => t('expired', { name, date: lastDayText(until) }),
  ],
  [
    /^The tariff was replaced by several.* "(.*)" is assumed; others are (.*)\. Choose the one on your invoice\.$/,
    (name = '', others = '') => t('replaced', { name, others }),
  ],
  [
    /^Plans leave out "(.*)" of "(.*)": the tariff has no price for it\.$/,
    (component = '', tariff = '') => t('leftOutUnpriced', { component, tariff }),
  ],
  [
    /^Plans leave out "(.*)" of "(.*)": it charges for reactive power\.$/,
    (component = '', tariff = '') => t('leftOutReactive', { component, tariff }),
  ],
  [/^Plans leave out "(.*)" of "(.*)": /, (component = '', tariff = '') => t('leftOut', { component, tariff })],
];

/** Returns a remark of the platform in the language of the page; undefined if it is known in English only. */
export function remark(sentence: string): string | undefined {
  for (const [pattern, say] of remarks) {
    const found = pattern.exec(sentence);
    if (found) return say(...found.slice(1));
  }
  return undefined;
}
