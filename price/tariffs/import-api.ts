import { Problem } from '#contract/problem.ts';
import type { TariffCollection } from './eltariff.ts';
import { readOperatorAnswer } from './operator-answer.ts';
import { operatorId } from './places/area-file.ts';
import { providerId } from './provider.ts';

const timeoutMs = 30_000;
const maxBytes = 64 * 1024 * 1024;

type Options = {
  /** provider id; by default that of a known company with the same number, else derived from the name */
  id?: string;
  knownId?(companyOrgNo: string): string | undefined;
  /** name or number of the company, where an API serves several */
  company?: string;
  importedAt: string;
};

/** Imports tariffs from the Eltariff API of a grid operator. Some publish the collection at the address itself. */
export async function importApi(url: string, options: Options) {
  const base = addressOf(url);
  const collection = readOperatorAnswer((await fetchCollection(base)) ?? {});
  const { company } = options;
  const tariffs = collection.tariffs.filter(
    ({ companyName, companyOrgNo }) => !company || companyName === company || companyOrgNo === company,
  );
  const companies = [...new Set(tariffs.map(({ companyName }) => companyName))];
  const [first] = tariffs;
  if (!first || companies.length !== 1) throw ambiguous(url, company, companies, collection);
  const { companyName: name, companyOrgNo } = first;
  return {
    provider: {
      id: providerId(options.id ?? options.knownId?.(companyOrgNo) ?? operatorId(name)),
      name,
      companyOrgNo,
      api: base,
    },
    imported: options.importedAt,
    tariffs,
    calendarPatterns: collection.calendarPatterns,
  };
}

function ambiguous(url: string, asked: string | undefined, found: string[], { tariffs }: TariffCollection): Problem {
  if (tariffs.length === 0) return new Problem('upstream_failed', `${url} has no tariffs.`);
  const all = [...new Set(tariffs.map(({ companyName }) => companyName))].join(', ');
  if (found.length > 1) return new Problem('unprocessable', `${url} serves several companies, choose one: ${all}.`);
  return new Problem('unprocessable', `${url} has no company ${asked}; it has ${all}.`);
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Problem('unprocessable', `${text} is not an http address.`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

async function fetchCollection(base: string): Promise<unknown> {
  const found = base.endsWith('/tariffs') ? undefined : await fetchJson(`${base}/tariffs`);
  return found ?? (await fetchJson(base));
}

/** Fetches JSON; undefined for 404. */
async function fetchJson(url: string): Promise<unknown> {
  const failed = (reason: string, cause?: unknown): Problem =>
    new Problem('upstream_failed', `${url} ${reason}.`, {}, cause === undefined ? {} : { cause });
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(url, { headers: { accept: 'application/json' }, signal });
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw failed(`answered ${answer.status}`);
    return JSON.parse(await bounded(answer, failed));
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw failed(error instanceof SyntaxError ? 'did not return JSON' : 'cannot be reached', error);
  }
}

async function bounded(answer: Response, failed: (reason: string) => Problem): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > maxBytes) throw failed('returned more data than a tariff list can have');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
