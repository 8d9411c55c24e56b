import type { DerKind } from '#contract/gateway/reading.ts';
import type { ReadRegisters } from '../../links/modbus/unit.ts';
import type { Rated } from '../profile.ts';
import { readPoint, readWords } from './check.ts';
import type { Ratings } from './device-map.ts';
import { evaluatorOf, type PointDefaults } from './evaluate.ts';
import { entriesOf, type Point, type TextPoint } from './point.ts';
import { createReadPlan } from './read-plan.ts';
import { textOf } from './words.ts';

type SerialResult = {
  serial: string | undefined;
  /** Text in the register of the serial number supports the profile, unprintable bytes contradict it, a number proves nothing. */
  verdict: 'yes' | 'silent' | 'no';
};

const minSerialLength = 4;

export async function readSerial(
  at: TextPoint | Point,
  defaults: PointDefaults,
  read: ReadRegisters,
): Promise<SerialResult> {
  if (at.kind === 'point') {
    const number = await readPoint(at, defaults, read);
    return { serial: number ? String(number) : undefined, verdict: 'silent' };
  }
  const words = await readWords(at, read);
  if (!words) return { serial: undefined, verdict: 'silent' };
  const text = textOf(words);
  if (text === undefined) return { serial: undefined, verdict: 'no' };
  const serial = text.replace(/\s/g, '');
  if (/^0*$/.test(serial)) return { serial: undefined, verdict: 'silent' };
  return { serial, verdict: serial.length >= minSerialLength ? 'yes' : 'silent' };
}

/** Smaller than a balcony inverter or larger than a solar park: the unit or the address is wrong. */
const plausible = { min: 100, max: 100e6 };

/** Reads the ratings; those of the battery only if there is one. */
export async function readRatings(
  ratings: Ratings = {},
  defaults: PointDefaults,
  ders: readonly DerKind[],
  read: ReadRegisters,
): Promise<Rated> {
  const wanted = entriesOf(ratings)
    .filter(([name]) => name === 'rated_power_W' || ders.includes('battery'))
    .map(([name, expression]) => ({ name, ...evaluatorOf(expression, defaults) }));
  await createReadPlan(wanted.flatMap(({ slots }) => slots)).read(read);

  const rated: Rated = {};
  for (const { name, value } of wanted) {
    const number = value();
    if (number >= plausible.min && number <= plausible.max) rated[name] = number;
  }
  return rated;
}
