import { parse } from 'node:path';
import { fieldErrors, validator } from '#lib/http/validate.ts';
import { fileProblem, readEltariff } from './eltariff.ts';
import { looseOf } from './eltariff-versions.ts';
import { expandPriceList } from './expand-price-list.ts';
import { PriceList, priceListForm } from './price-list.ts';
import { providerId, type TariffProvider } from './provider.ts';

const check = validator(PriceList, 'body', 'refuse');

/** The provider of a file: a price list of ours, or what an Eltariff API answers. Throws a Problem that tells what is wrong. */
export function readProviderFile(path: string, text: string): TariffProvider {
  const file = parseText(text);
  return file.format === priceListForm ? fromPriceList(file) : fromEltariff(file, parse(path).name);
}

function parseText(text: string): Record<string, unknown> {
  try {
    return looseOf(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw fileProblem([{ path: 'file', message: `is not whole JSON: ${error.message}` }]);
  }
}

function fromPriceList(file: unknown): TariffProvider {
  if (!check(file)) throw fileProblem(fieldErrors('file', check.errors ?? []));
  const list = file as PriceList;
  const { id, name } = list.provider;
  const areas = new Map(
    list.tariffs.flatMap(({ id: tariff, where }) => {
      if (!where) return [];
      const { zones, counties, except_counties: exceptCounties } = where;
      return [[tariff, { zones, ...(counties && { counties }), ...(exceptCounties && { exceptCounties }) }] as const];
    }),
  );
  return { id, name, source: list.source, ...(areas.size > 0 && { areas }), ...readEltariff(expandPriceList(list)) };
}

/** Such a file may say who the provider is; else its name does, and the company of the first tariff. */
function fromEltariff(file: Record<string, unknown>, fileName: string): TariffProvider {
  const collection = readEltariff(file);
  const { id, name } = looseOf(file.provider);
  const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);
  const itsId = providerId(textOr(id, fileName));
  if (!/^[a-z0-9_]{1,64}$/.test(itsId)) {
    throw fileProblem([{ path: 'file.provider.id', message: 'must be letters a to z, digits and underscores' }]);
  }
  return { id: itsId, name: textOr(name, collection.tariffs[0]?.companyName ?? itsId), ...collection };
}
