// Millionths as a number with all its decimals, written into bytes where room was left for it.

const zero = 0x30;
const minus = 0x2d;
const point = 0x2e;

const three = Uint8Array.from(
  { length: 3000 },
  (_, n) => zero + (Math.floor(Math.floor(n / 3) / 10 ** (2 - (n % 3))) % 10),
);

/** How many bytes it takes. */
export function widthOf(millionths: number): number {
  const size = Math.abs(millionths);
  let width = millionths < 0 ? 9 : 8;
  for (let limit = 1e7; size >= limit; limit *= 10) width += 1;
  return width;
}

/** Writes it so that it ends before a place. */
export function putDecimal(bytes: Uint8Array, end: number, millionths: number): void {
  const size = Math.abs(millionths);
  let whole = Math.floor(size / 1e6);
  const fraction = size - whole * 1e6;
  const thousandths = Math.floor(fraction / 1000);
  putThree(bytes, end - 3, fraction - thousandths * 1000);
  putThree(bytes, end - 6, thousandths);
  bytes[end - 7] = point;
  let place = end - 8;
  for (; whole >= 10; place--) {
    const tens = Math.floor(whole / 10);
    bytes[place] = zero + whole - tens * 10;
    whole = tens;
  }
  bytes[place] = zero + whole;
  if (millionths < 0) bytes[place - 1] = minus;
}

function putThree(bytes: Uint8Array, place: number, number: number): void {
  bytes[place] = three[number * 3]!;
  bytes[place + 1] = three[number * 3 + 1]!;
  bytes[place + 2] = three[number * 3 + 2]!;
}
