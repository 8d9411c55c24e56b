import { type A44, dayOfPeriods, readA44 } from './a44.ts';
import type { Area } from './areas.ts';
import { marketDay, type Span } from './market-day.ts';
import { type Source, SourceError } from './source.ts';
import type { Upstream } from './upstream.ts';

type EntsoeOptions = Pick<Source, 'id' | 'name' | 'description'> & { url: string; token: string; upstream: Upstream };

const pageSize = 100;
const mostPages = 10;

/** The transparency platform of the European grid operators: day-ahead prices as A44 documents. */
export function createEntsoe({ url, token, upstream, ...who }: EntsoeOptions): Source {
  async function ask(area: Area, span: Span, signal: AbortSignal, offset?: number) {
    const question = new URL(url);
    const parameters = {
      documentType: 'A44',
      in_Domain: area.eic,
      out_Domain: area.eic,
      'contract_MarketAgreement.type': 'A01',
      periodStart: compact(span.start),
      periodEnd: compact(span.end),
      securityToken: token,
      ...(offset !== undefined && { offset: String(offset) }),
    };
    for (const [name, value] of Object.entries(parameters)) question.searchParams.set(name, value);
    const { status, text, isSimulated } = await upstream.get(question, signal);
    // That it has nothing it says with 200, and at times with 400.
    if (status !== 200 && status !== 400) throw new SourceError('malformed', `The answer was ${status}.`);
    return { read: readA44(text, area.eic), text, isSimulated };
  }

  /** All documents that touch the span, page by page. */
  async function askInPages(area: Area, span: Span, signal: AbortSignal): Promise<A44> {
    const all: Exclude<A44, string> = { periods: [], seriesCount: 0 };
    for (let page = 0; page < mostPages; page++) {
      const { read } = await ask(area, span, signal, page * pageSize);
      if (read === 'too many') throw new SourceError('malformed', 'The market has too many documents for one day.');
      if (read === 'none') break;
      all.periods.push(...read.periods);
      all.seriesCount += read.seriesCount;
      if (read.seriesCount < pageSize) break;
    }
    return all;
  }

  return {
    ...who,
    covers: ({ isPriced }) => isPriced,
    async fetchDay(area, date, signal) {
      const span = marketDay(area, date);
      const { read, text, isSimulated } = await ask(area, span, signal);
      const isPaged = read === 'too many';
      const known = isPaged ? await askInPages(area, span, signal) : read;
      if (typeof known === 'string') return undefined;
      const points = dayOfPeriods(known.periods, span);
      return points && { points, isSimulated, ...(!isPaged && { raw: text }) };
    },
  };
}

/** YYYYMMDDhhmm in UTC. */
const compact = (at: number): string => new Date(at).toISOString().replace(/\D/g, '').slice(0, 12);
