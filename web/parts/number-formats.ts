/** What is rounded to nothing has no sign: -0.3 is told as 0 where there are no decimals. */
const rounded = (digits: number) =>
  ({ signDisplay: 'negative', maximumFractionDigits: digits, minimumFractionDigits: digits }) as const;

export const plainNumber = (locale: string, digits: number): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, rounded(digits));

export const currencyNumber = (locale: string, currency: string, digits: number): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, ...rounded(digits) });
