import { undefinedIf } from '#lib/error-code.ts';
import { LinkError } from '../links/link-error.ts';
import { ModbusException, type ModbusUnit, type ReadRegisters, type RegisterTable } from '../links/modbus/unit.ts';
import { modbusProfiles } from './index.ts';
import { isRefusal } from './map/read-plan.ts';
import { type Confidence, type ModbusProfile, NotThisDevice } from './profile.ts';
import { discover } from './sunspec/discover.ts';

/** Ports and unit ids of the known families, the most common first. */
export const usualPorts = byFrequency(({ defaults, hints }) => [defaults.port, ...(hints?.ports ?? [])]);
export const usualUnitIds = byFrequency(({ defaults, hints }) => [defaults.unit_id, ...(hints?.unit_ids ?? [])]);

function byFrequency(numbersOf: (profile: ModbusProfile) => readonly number[]): readonly number[] {
  const named = Map.groupBy(modbusProfiles.flatMap(numbersOf), (number) => number);
  return [...named].toSorted(([, some], [, others]) => others.length - some.length).map(([number]) => number);
}

export type Candidate = { profile: string; confidence: Confidence; serial?: string; reason: string };

/** Maximum number of requests to one unit; a profile needs about five to find out that it does not match. */
export const maxRequests = 6 * modbusProfiles.length;
export const maxSilences = 2; // some devices do not answer at all at addresses they do not have

class SearchEnded extends Error {}

/** Returns the profiles that match the unit, the most certain first. Stops at the first with high confidence. */
export async function detectProfiles(
  read: ReadRegisters,
  identify: ModbusUnit['identify'],
  allowedSilences = maxSilences,
): Promise<Candidate[]> {
  const search = startSearch(read, allowedSilences);
  const vendor = await vendorOf(identify);
  const found: Candidate[] = [];
  try {
    const maker = (await search.attempt(() => discover(search.read)))?.device?.manufacturer;
    for (const profile of sortByVendor(vendor, maker)) {
      const device = await search.attempt(() => profile.recognise(search.read));
      if (!device) continue;
      const isNamed = namesItself(profile, vendor, maker);
      const confidence = isNamed ? 'high' : (device.certainty ?? 'low');
      const reason = isNamed ? `It reports the manufacturer "${vendor ?? maker}".` : reasons[confidence];
      found.push({ profile: profile.profile, confidence, ...(device.serial && { serial: device.serial }), reason });
      if (confidence === 'high') break;
    }
  } catch (error) {
    if (!(error instanceof SearchEnded)) throw error;
  }
  return found.toSorted((a, b) => ranks.indexOf(a.confidence) - ranks.indexOf(b.confidence));
}

const ranks: readonly Confidence[] = ['high', 'medium', 'low'];

const reasons: Record<Confidence, string> = {
  high: 'It identifies itself.',
  medium: 'It has a serial number in the expected register.',
  low: 'Its values are plausible for such a device.',
};

/** Returns the vendor name; undefined for the many devices without function code 43. */
const vendorOf = async (identify: ModbusUnit['identify']): Promise<string | undefined> =>
  (await identify().catch(undefinedIf(isLinkFailure)))?.vendor;

const isLinkFailure = (error: unknown): boolean => error instanceof LinkError || error instanceof ModbusException;

const namesItself = ({ hints }: ModbusProfile, vendor = '', maker = ''): boolean =>
  hints?.vendor?.test(vendor) === true || hints?.sunspec?.test(maker) === true;

function sortByVendor(vendor: string | undefined, maker: string | undefined): ModbusProfile[] {
  const rank = (profile: ModbusProfile): number => (namesItself(profile, vendor, maker) ? 0 : 1);
  return modbusProfiles.toSorted((a, b) => rank(a) - rank(b));
}

/** Limits the number of requests and sends none twice. */
function startSearch(read: ReadRegisters, allowedSilences: number) {
  const answers = new Map<string, Promise<readonly number[]>>();
  let hasAnswered = false;
  let silences = 0;

  return {
    async read(table: RegisterTable, address: number, count: number): Promise<readonly number[]> {
      const key = `${table} ${address} ${count}`;
      const known = answers.get(key);
      if (known) return known;
      if (answers.size >= maxRequests) throw new SearchEnded();
      const answer = read(table, address, count);
      answers.set(key, answer);
      try {
        const words = await answer;
        hasAnswered = true;
        return words;
      } catch (error) {
        if (isRefusal(error)) hasAnswered = true;
        else silences += 1;
        throw error;
      }
    },
    /** Returns what was found; undefined if the device is another one. */
    async attempt<Found>(look: () => Promise<Found>): Promise<Found | undefined> {
      try {
        return await look();
      } catch (error) {
        if (error instanceof NotThisDevice || isRefusal(error)) return undefined;
        if (!isLinkFailure(error)) throw error;
        if (silences <= allowedSilences) return undefined;
        throw hasAnswered ? new SearchEnded() : error;
      }
    },
  };
}
