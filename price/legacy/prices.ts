import type { Resolution } from '#contract/price/electricity.ts';
import type { LegacyPrices, NoData } from '#contract/price/legacy.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { Answer } from '#lib/http/mount.ts';
import { findDays } from '../electricity/find-days.ts';
import { inSteps } from '../electricity/hours.ts';
import type { OpenPrices } from '../electricity/open-prices.ts';
import type { PriceDay } from '../electricity/prices.ts';
import { type Question, readQuestion } from '../electricity/question.ts';
import type { Source } from '../electricity/source.ts';
import { knownSources } from '../electricity/sources.ts';
import { marketDocument } from './market-document.ts';
import { createProviderDays } from './provider-days.ts';
import { createWrittenAnswers, type Written } from './written-answers.ts';

export type LegacyPriceDeps = { prices: OpenPrices; sources: readonly Source[]; clock: Clock };

/** Finds the document that the source sent for a date. */
type Raw = (date: string) => Promise<string | undefined>;

type Asked = { area: string; format?: string; resolution?: Resolution };

export function createLegacyPrices({ prices, sources, clock }: LegacyPriceDeps) {
  const dayOf = createProviderDays(prices, clock);
  const answers = createWrittenAnswers();

  const ask = ({ area, resolution }: Asked): Question => readQuestion(area, { resolution }, clock.now());

  /** Writes the days in the format and resolution of the question. */
  function answer(
    question: Question,
    days: readonly PriceDay[],
    asked: { isJson: boolean; provider: string; raw?: Raw },
  ) {
    const { resolution } = question;
    const { isJson, provider, raw } = asked;
    if (resolution === 'PT15M' && days.every(({ points }) => inSteps(points, resolution).length === 0))
      return noData(question, provider, 'There are prices for this area now, but none in steps of PT15M.');
    const form = isJson ? 'json' : raw ? 'xml' : 'own xml';
    return answers.of(question, form, days, async () => {
      const stored = !isJson && days.length === 1 ? await raw?.(days[0]!.date) : undefined;
      if (stored && isInSteps(stored, resolution)) return inXml(stored, days);
      const stepped = days
        .map((day) => ({ ...day, points: inSteps(day.points, resolution) }))
        .filter(({ points }) => points.length > 0);
      return isJson ? inJson(question, stepped) : inXml(marketDocument(question.area, stepped), stepped);
    });
  }

  async function ofAnybody(asked: Asked) {
    const isJson = asksForJson(asked);
    const question = ask(asked);
    const days = await findDays(question, prices);
    const provider = sources.map(({ name }) => name).join(', ');
    if (days.length === 0) return noData(question, provider, 'No provider has prices for this area now.');
    return answer(question, days, { isJson, provider, raw: (date) => prices.raw(question.area, date) });
  }

  async function ofProvider(provider: string, asked: Asked) {
    const isJson = asksForJson(asked);
    const question = ask(asked);
    const known = findSource(provider);
    if (!known)
      throw new Problem('not_found', `The provider ${provider} is not known; GET /price/providers lists them.`);
    const { id } = known;
    const source = sources.find((each) => each.id === id);
    if (!source) return noData(question, id, `${known.name} is not in use here.`);
    const days = await findDays(question, { ...prices, day: (area, date) => dayOf(source, area, date) });
    if (days.length === 0) return noData(question, id, `${known.name} has no prices for this area now.`);
    return answer(question, days, { isJson, provider: id });
  }

  return { ofAnybody, ofProvider };
}

function asksForJson({ format = 'xml' }: Asked): boolean {
  const name = format.toLowerCase();
  if (name !== 'json' && name !== 'xml') throw fieldProblem('unprocessable', 'query.format', 'must be json or xml');
  return name === 'json';
}

/** By its id, in which hyphens count as underscores, or by the name that answers tell. */
function findSource(given: string) {
  const name = given.toLowerCase();
  return knownSources.find((source) => source.id === name.replaceAll('-', '_') || source.name.toLowerCase() === name);
}

const providerOf = (days: readonly PriceDay[]): string => [...new Set(days.map(({ source }) => source))].join(', ');

function inJson({ name }: Question, days: readonly PriceDay[]): Written {
  const provider = providerOf(days);
  const answer: LegacyPrices = {
    area: name,
    currency: 'EUR',
    unit: 'MWh',
    prices: days.flatMap(({ points, source }) =>
      points.map(({ start, end, eur_per_mwh }) => ({
        start_time: formatTime(start),
        end_time: formatTime(end),
        price: eur_per_mwh,
        ...(source !== provider && { provider: source }),
      })),
    ),
    provider,
    last_updated: formatTime(Math.max(...days.map(({ fetchedAt }) => fetchedAt))),
  };
  return { text: JSON.stringify(answer), headers: { 'content-type': 'application/json; charset=utf-8' } };
}

/** Tells whether every series of a market document has this resolution. */
const isInSteps = (xml: string, resolution: Resolution): boolean =>
  [...xml.matchAll(/<resolution>\s*([^<]*?)\s*<\/resolution>/g)].every(([, found]) => found === resolution);

const inXml = (text: string, days: readonly PriceDay[]): Written => ({
  text,
  headers: { 'content-type': 'application/xml; charset=utf-8', 'x-price-provider': providerOf(days) },
});

const noData = ({ name }: Question, provider: string, message: string): Answer<NoData> =>
  new Answer(404, { error: 'No data available', area: name, provider, message, status: 'no_data' as const });
