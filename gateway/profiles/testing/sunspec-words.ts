import { i16, text, u16, u32 } from './encode.ts';

type Words = number[];

/** Builds a model: its header, and words by offset; the rest is zero. */
export function model(id: number, length: number, places: Record<number, Words>): Words {
  const words = [...u16(id), ...u16(length), ...Array.from({ length }, () => 0)];
  for (const [offset, content] of Object.entries(places)) words.splice(Number(offset), content.length, ...content);
  return words;
}

export const common = (manufacturer: string, name: string, serial: string): Words =>
  model(1, 66, { 2: text(manufacturer, 16), 18: text(name, 16), 50: text(serial, 16) });

export const chain = (...models: Words[]): Words => [...text('SunS', 2), ...models.flat(), 0xffff, 0];

export const tracker = (name: string, A: number, V: number, W: number): Words => [
  ...u16(0),
  ...text(name, 8),
  ...u16(A),
  ...u16(V),
  ...u16(W),
  ...Array.from({ length: 8 }, () => 0),
];

export const meter = model(203, 105, {
  3: [...i16(-31), ...i16(12), ...i16(8), ...i16(-1)],
  8: [...i16(2311), ...i16(2312), ...i16(2313)],
  15: [...i16(-1), ...i16(5001), ...i16(-2), ...i16(-150), ...i16(-200), ...i16(30), ...i16(20), ...i16(1)],
  38: u32(44_000),
  46: u32(55_000),
  54: i16(1),
});
