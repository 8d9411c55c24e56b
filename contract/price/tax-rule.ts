/** Which rate of the Swedish energy tax was applied: that of a year, because the one of `unknownYear` is not known. */
export type TaxRule = { year: number; isReduced: boolean; unknownYear?: number };

const rates = { full: 'full rate', reduced: 'reduced in the north' };

/** As it stands in a part of a price. */
export function writeTaxRule({ year, isReduced, unknownYear }: TaxRule): string {
  const words = [`energy tax of ${year}`, isReduced ? rates.reduced : rates.full];
  if (unknownYear !== undefined) words.push(`that of ${unknownYear} is not known`);
  return words.join(', ');
}

/** For pages in other languages; undefined when it is another rule. */
export function readTaxRule(text: string): TaxRule | undefined {
  const [, year, rate, unknownYear] =
    /^energy tax of (\d+), ([a-z ]+)(?:, that of (\d+) is not known)?$/.exec(text) ?? [];
  if (rate !== rates.full && rate !== rates.reduced) return undefined;
  const isReduced = rate === rates.reduced;
  return { year: Number(year), isReduced, ...(unknownYear && { unknownYear: Number(unknownYear) }) };
}
