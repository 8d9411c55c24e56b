// Prices are whole millionths of the currency, so that they add up exactly; a number of millionths is exact
// far beyond any price and has at most six decimals.
const scale = 1e6;

export const toMillionths = (amount: number): number => Math.round(amount * scale) + 0; // no -0

export const fromMillionths = (millionths: number): number => millionths / scale;

const cents = 100;

/** Rounds an amount to cents; floating-point noise around half a cent is ignored. */
export const toCents = (amount: number): number => Math.round(Math.round(amount * cents * scale) / scale) + 0;

export const fromCents = (count: number): number => count / cents;

/** Rounds a quantity on a bill to the precision of meters. */
export const roundQuantity = (quantity: number): number => Math.round(quantity * 1e4) / 1e4 + 0;
