const powersOfTen = Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));

/** `mantissa` times ten to the `exponent`, to a thousandth: meters count no finer. */
export function scaled(mantissa: number, exponent: number): number | undefined {
  const power = powersOfTen[Math.abs(exponent)];
  if (power === undefined || !Number.isFinite(mantissa) || Math.abs(mantissa) > Number.MAX_SAFE_INTEGER)
    return undefined;
  if (exponent >= 0) return Number.isInteger(mantissa) ? mantissa * power + 0 : toThousandth(mantissa * power);
  return exponent < -3 || !Number.isInteger(mantissa) ? toThousandth(mantissa / power) : mantissa / power + 0;
}

/** Adding zero makes a negative zero a plain one. */
export const toThousandth = (value: number): number => Math.round(value * 1000) / 1000 + 0;
