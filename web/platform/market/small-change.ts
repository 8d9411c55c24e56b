const names: Readonly<Record<string, string>> = { SEK: 'öre', NOK: 'øre', DKK: 'øre', EUR: 'cent', GBP: 'p' };

export type SmallChange = {
  /** such as öre; the currency itself where prices are not written in its hundredths */
  name: string;
  perUnit: 1 | 100;
};

/** Returns the unit in which invoices write the price of a kilowatt-hour. */
export function smallChangeOf(currency: string): SmallChange {
  const name = names[currency];
  return name === undefined ? { name: currency, perUnit: 1 } : { name, perUnit: 100 };
}
