import type { Area } from './areas.ts';
import { marketDay, type Span } from './market-day.ts';
import type { PricePoint } from './prices.ts';
import { type Source, SourceError, wholeDay } from './source.ts';
import type { Upstream } from './upstream.ts';

export type Question = { name: string; date: string; span: Span };

/** A publisher that answers anybody with JSON. */
export type KeylessForm = Pick<Source, 'id' | 'name' | 'description' | 'isHourly'> & {
  baseUrl: string;
  /** how it calls the areas that it knows, by our code */
  areas: Readonly<Record<string, string>>;
  path(question: Question): string;
  read(body: Json, question: Question): PricePoint[];
};

/** Anything that a JSON text may hold, to be read with care. */
export type Json = { readonly [key: string]: Json } & { readonly [index: number]: Json };

export function createKeyless(form: KeylessForm, upstream: Upstream, baseUrl = form.baseUrl): Source {
  const { id, name, description, isHourly = false } = form;
  const nameOf = ({ code }: Area): string | undefined => form.areas[code];
  return {
    id,
    name,
    description,
    isHourly,
    covers: (area) => nameOf(area) !== undefined,
    async fetchDay(area, date, signal) {
      const question = { name: nameOf(area)!, date, span: marketDay(area, date) };
      const url = new URL(baseUrl.replace('{name}', question.name) + form.path(question));
      const { status, text, isSimulated } = await upstream.get(url, signal);
      if (status === 404 || status === 204) return undefined; // not published yet
      if (status !== 200) throw new SourceError('malformed', `The answer was ${status}.`);
      const points = wholeDay(question.span, readWith(form, text, question));
      return points && { points, isSimulated };
    },
  };
}

function readWith(form: KeylessForm, text: string, question: Question): PricePoint[] {
  try {
    return form.read(JSON.parse(text), question);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError('malformed', 'The answer is not of the form that was expected.');
  }
}
