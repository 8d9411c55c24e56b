// Prices are whole millionths of the currency, so that they add up without a rest; a number of millionths is exact
// far beyond any price, and its decimal form has at most six digits behind the point.
const scale = 1e6;

export const toMillionths = (amount: number): number => Math.round(amount * scale) + 0; // no -0

export const fromMillionths = (millionths: number): number => millionths / scale;

const cents = 100;

/** An amount of an invoice: to the cent. What is half a cent but for the noise of the calculation counts as half a cent. */
export const toCents = (amount: number): number => Math.round(Math.round(amount * cents * scale) / scale) + 0;

export const fromCents = (count: number): number => count / cents;

/** For quantities on an invoice: no more digits than anybody measures. */
export const roundQuantity = (quantity: number): number => Math.round(quantity * 1e4) / 1e4 + 0;
