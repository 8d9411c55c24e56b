import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { readPoint } from '../map/check.ts';
import { readText } from '../map/text.ts';
import type { Model } from './models.ts';

/** What hangs on one of several direct-current inputs. */
export type Part = { index: number; role: 'pv' | 'charging' | 'discharging' | 'battery' | 'other' };

const mostParts = 12;

const countOf = (model: Model, header: number, each: number, said: number | undefined): number =>
  Math.min(mostParts, Math.floor((model.length - header) / each), said || mostParts);

/** The trackers of model 160. A hybrid of Fronius has the battery among them: one that charges, one that discharges it. */
export async function trackersOf(model: Model, isFroniusHybrid: boolean, read: ReadRegisters): Promise<Part[]> {
  const { table, address } = model;
  const said = await readPoint({ kind: 'point', table, type: 'u16', address: address + 8 }, {}, read);
  const count = countOf(model, 8, 20, said);
  const parts: Part[] = [];
  for (let index = 0; index < count; index++) {
    const name = await readText({ kind: 'text', table, address: address + 11 + 20 * index, words: 8 }, read);
    parts.push({ index, role: roleOf(name ?? '', index, isFroniusHybrid && count === 4) });
  }
  return parts;
}

function roleOf(name: string, index: number, hasBatteryLast: boolean): Part['role'] {
  if (/dis.?cha/i.test(name)) return 'discharging';
  if (/cha(?!n)/i.test(name)) return 'charging';
  if (hasBatteryLast && index >= 2) return index === 2 ? 'charging' : 'discharging';
  return 'pv';
}

const portRoles: readonly Part['role'][] = ['pv', 'battery'];

/** The ports of model 714, which say what they are. */
export async function portsOf(model: Model, read: ReadRegisters): Promise<Part[]> {
  const { table, address } = model;
  const said = await readPoint({ kind: 'point', table, type: 'u16', address: address + 4 }, {}, read);
  const parts: Part[] = [];
  for (let index = 0; index < countOf(model, 18, 25, said); index++) {
    const type = await readPoint({ kind: 'point', table, type: 'u16', address: address + 20 + 25 * index }, {}, read);
    parts.push({ index, role: portRoles[type ?? -1] ?? 'other' });
  }
  return parts;
}
