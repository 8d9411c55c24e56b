import type { AlertLanguage, AlertRule } from '#contract/cloud/alerts.ts';

/** The numbers, names and times in the texts of an alert. */
export type AlertFacts = {
  gateway_silent: { since: number; count: number };
  device_silent: { names: string[]; count: number; since: number };
  near_fuse: { phase: string; amps: number; fuse_a: number };
  new_peak: { kw: number; cost: number; currency: string };
  price_below: PriceFacts;
  price_above: PriceFacts;
  negative_price: { spans: [from: number, to: number][] };
  battery_below: { name: string; percent: number };
  solar_low: { wh: number; expected_wh: number };
  command_failed: { device: string; reason: string };
  update_available: { version: string; newest: string; count: number };
};

type PriceFacts = { price: number; limit: number; until: number; currency: string };

/** Names the rules of which a message tells that the state has ended. */
export const clearing: ReadonlySet<AlertRule> = new Set(['gateway_silent', 'device_silent']);

export type Message = { title: string; body: string };

type RuleWords = { [Rule in AlertRule]: (facts: AlertFacts[Rule], as: Formats) => Message };
type Words = { rules: RuleWords; clear: Partial<Record<AlertRule, string>>; test: Message };

type Formats = {
  number(value: number, digits?: number): string;
  clock(ms: number): string;
  moment(ms: number): string;
  names(names: readonly string[], count: number): string;
};

const texts: Record<AlertLanguage, Words> = {
  en: {
    rules: {
      gateway_silent: ({ since, count }, { moment }) => ({
        title: count === 1 ? 'The gateway is silent' : `${count} gateways are silent`,
        body: `No contact since ${moment(since)}. Check its power and its network.`,
      }),
      device_silent: ({ names, count, since }, { moment, names: list }) => ({
        title: count === 1 ? `${names[0]} is silent` : `${count} devices are silent`,
        body: `${list(names, count)}: no readings since ${moment(since)}. The gateway is connected.`,
      }),
      near_fuse: ({ phase, amps, fuse_a }, { number }) => ({
        title: 'Power near the main fuse',
        body: `${phase} carries ${number(amps, 1)} A; the fuse is ${number(fuse_a)} A. Switch something off.`,
      }),
      new_peak: ({ kw, cost, currency }, { number }) => ({
        title: 'A new peak this month',
        body: `This hour is heading for ${number(kw, 1)} kW. That adds about ${number(cost)} ${currency} to the month's power charge.`,
      }),
      price_below: ({ price, limit, until, currency }, { number, clock }) => ({
        title: 'Electricity is cheap now',
        body: `${number(price, 2)} ${currency}/kWh, below ${number(limit, 2)}, until ${clock(until)}.`,
      }),
      price_above: ({ price, limit, until, currency }, { number, clock }) => ({
        title: 'Electricity is expensive now',
        body: `${number(price, 2)} ${currency}/kWh, above ${number(limit, 2)}, until ${clock(until)}.`,
      }),
      negative_price: ({ spans }, { clock }) => ({
        title: 'Negative spot price tomorrow',
        body: `${spans.map(([from, to]) => `${clock(from)}–${clock(to)}`).join(', ')}.`,
      }),
      battery_below: ({ name, percent }, { number }) => ({
        title: 'The battery is low',
        body: `${name} has ${number(percent)} % left.`,
      }),
      solar_low: ({ wh, expected_wh }, { number }) => ({
        title: 'The solar panels deliver little',
        body: `${number(wh / 1000, 1)} kWh in the last three days; at least ${number(expected_wh / 1000, 1)} kWh in any three days of the four weeks before. Check the inverter, and the panels for snow.`,
      }),
      command_failed: ({ device, reason }) => ({
        title: `A command to ${device} failed`,
        body: reason,
      }),
      update_available: ({ version, newest, count }) => ({
        title: count === 1 ? 'The gateway can be updated' : `${count} gateways can be updated`,
        body: `${count === 1 ? 'It runs' : 'The oldest runs'} version ${version}, the platform ${newest}. Update it the way it was installed.`,
      }),
    },
    clear: { gateway_silent: 'The gateway is back', device_silent: 'The devices send readings again' },
    test: { title: 'Test from Ohmstead', body: 'Alerts reach you here.' },
  },
  sv: {
    rules: {
      gateway_silent: ({ since, count }, { moment }) => ({
        title: count === 1 ? 'Gatewayen är tyst' : `${count} gatewayer är tysta`,
        body: `Ingen kontakt sedan ${moment(since)}. Kontrollera strömmen och nätverket.`,
      }),
      device_silent: ({ names, count, since }, { moment, names: list }) => ({
        title: count === 1 ? `${names[0]} är tyst` : `${count} enheter är tysta`,
        body: `${list(names, count)}: inga mätvärden sedan ${moment(since)}. Gatewayen är ansluten.`,
      }),
      near_fuse: ({ phase, amps, fuse_a }, { number }) => ({
        title: 'Effekten är nära huvudsäkringen',
        body: `${phase} belastas med ${number(amps, 1)} A och säkringen är på ${number(fuse_a)} A. Stäng av något.`,
      }),
      new_peak: ({ kw, cost, currency }, { number }) => ({
        title: 'Ny effekttopp den här månaden',
        body: `Timmen är på väg mot ${number(kw, 1)} kW. Det höjer månadens effektavgift med ungefär ${number(cost)} ${currency}.`,
      }),
      price_below: ({ price, limit, until, currency }, { number, clock }) => ({
        title: 'Elen är billig nu',
        body: `${number(price, 2)} ${currency}/kWh, under ${number(limit, 2)}, till ${clock(until)}.`,
      }),
      price_above: ({ price, limit, until, currency }, { number, clock }) => ({
        title: 'Elen är dyr nu',
        body: `${number(price, 2)} ${currency}/kWh, över ${number(limit, 2)}, till ${clock(until)}.`,
      }),
      negative_price: ({ spans }, { clock }) => ({
        title: 'Negativt spotpris i morgon',
        body: `${spans.map(([from, to]) => `${clock(from)}–${clock(to)}`).join(', ')}.`,
      }),
      battery_below: ({ name, percent }, { number }) => ({
        title: 'Batteriet är lågt',
        body: `${name} har ${number(percent)} % kvar.`,
      }),
      solar_low: ({ wh, expected_wh }, { number }) => ({
        title: 'Solcellerna ger lite',
        body: `${number(wh / 1000, 1)} kWh de senaste tre dagarna; under fyra veckor dessförinnan gav tre dagar alltid minst ${number(expected_wh / 1000, 1)} kWh. Kontrollera växelriktaren, och om det ligger snö på panelerna.`,
      }),
      command_failed: ({ device, reason }) => ({
        title: `Ett kommando till ${device} misslyckades`,
        body: reason,
      }),
      update_available: ({ version, newest, count }) => ({
        title: count === 1 ? 'Gatewayen kan uppdateras' : `${count} gatewayer kan uppdateras`,
        body: `${count === 1 ? 'Den kör' : 'Den äldsta kör'} version ${version} och plattformen ${newest}. Uppdatera på samma sätt som vid installationen.`,
      }),
    },
    clear: { gateway_silent: 'Gatewayen är tillbaka', device_silent: 'Enheterna skickar mätvärden igen' },
    test: { title: 'Test från Ohmstead', body: 'Larmen når dig här.' },
  },
};

const locales: Record<AlertLanguage, string> = { en: 'en-GB', sv: 'sv-SE' };
const more: Record<AlertLanguage, (count: number) => string> = {
  en: (count) => ` and ${count} more`,
  sv: (count) => ` och ${count} till`,
};

function formatsOf(language: AlertLanguage, timeZone: string): Formats {
  const locale = locales[language];
  const when = (options: Intl.DateTimeFormatOptions) => (ms: number) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(ms);
  return {
    number: (value, digits = 0) =>
      new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value),
    clock: when({ timeStyle: 'short' }),
    moment: when({ weekday: 'short', hour: '2-digit', minute: '2-digit' }),
    names: (names, count) => `${names.join(', ')}${count > names.length ? more[language](count - names.length) : ''}`,
  };
}

type Alerted<Rule extends AlertRule> = {
  rule: Rule;
  facts: AlertFacts[Rule];
  site: { name: string; timezone: string | null };
};

/** Returns the texts of an alert, without the name of the site. */
export function messageOf<Rule extends AlertRule>(
  { rule, facts, site }: Alerted<Rule>,
  language: AlertLanguage,
): Message {
  return texts[language].rules[rule](facts, formatsOf(language, site.timezone ?? 'UTC'));
}

/** Returns the texts that are sent: an alert, or that its state has ended. */
export function sentMessage<Rule extends AlertRule>(
  alert: Alerted<Rule>,
  language: AlertLanguage,
  isClear: boolean,
): Message {
  const { title, body } = messageOf(alert, language);
  const ending = isClear ? texts[language].clear[alert.rule] : undefined;
  return { title: `${alert.site.name}: ${ending ?? title}`, body: ending ? '' : body };
}

export const testMessage = (language: AlertLanguage): Message => texts[language].test;

export const codeMessage: Record<AlertLanguage, (code: string, platform: string) => Message> = {
  en: (code, platform) => ({
    title: `${code} is your code`,
    body: `Enter the code ${code} at ${platform} to receive alerts at this address. It is valid for 15 minutes.\n\nIf you did not ask for it, somebody mistyped an address: you need not do anything.`,
  }),
  sv: (code, platform) => ({
    title: `${code} är din kod`,
    body: `Skriv in koden ${code} på ${platform} för att få larm till den här adressen. Den gäller i 15 minuter.\n\nOm du inte har bett om den har någon skrivit fel adress: du behöver inte göra något.`,
  }),
};
