import { LinkError } from '../links/link-error.ts';
import { ModbusException, type ModbusUnit, type ReadRegisters } from '../links/modbus/unit.ts';
import { isRefusal } from './map/read-plan.ts';
import type { ModbusProfile } from './modbus-profile.ts';
import { modbusProfiles } from './modbus-profiles.ts';
import { type Confidence, NotThisDevice } from './profile.ts';
import { discover } from './sunspec/discover.ts';

/** Where devices are found, what most families come with first. */
export const usualPorts = usual(({ defaults, hints }) => [defaults.port, ...(hints?.ports ?? [])]);
export const usualUnitIds = usual(({ defaults, hints }) => [defaults.unit_id, ...(hints?.unit_ids ?? [])]);

function usual(numbersOf: (profile: ModbusProfile) => readonly number[]): readonly number[] {
  const named = Map.groupBy(modbusProfiles.flatMap(numbersOf), (number) => number);
  return [...named].toSorted(([, some], [, others]) => others.length - some.length).map(([number]) => number);
}

export type Candidate = { profile: string; confidence: Confidence; serial?: string; reason: string };

/** Most requests that one unit is asked before the search ends; a profile needs about five to see that it does not fit. */
export const mostRequests = 6 * modbusProfiles.length;
export const mostSilences = 2; // some devices do not answer at all where they have nothing

class SearchEnded extends Error {}

/** Which profiles fit the unit, the most certain first. Ends at the first that the device confirms itself. */
export async function detectProfiles(
  read: ReadRegisters,
  identify: ModbusUnit['identify'],
  patience = mostSilences,
): Promise<Candidate[]> {
  const search = startSearch(read, patience);
  const vendor = await vendorOf(identify);
  const found: Candidate[] = [];
  try {
    const maker = (await search.attempt(() => discover(search.read)))?.device?.manufacturer;
    for (const profile of ordered(vendor, maker)) {
      const device = await search.attempt(() => profile.recognise(search.read));
      if (!device) continue;
      const isNamed = namesItself(profile, vendor, maker);
      const confidence = isNamed ? 'high' : (device.certainty ?? 'low');
      const reason = isNamed ? `It names its maker "${vendor ?? maker}".` : reasons[confidence];
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
  high: 'It says itself what it is.',
  medium: 'It has a serial number where such a device has it.',
  low: 'Its values are plausible for such a device.',
};

/** Many devices do not know function code 43; that says nothing. */
async function vendorOf(identify: ModbusUnit['identify']): Promise<string | undefined> {
  try {
    return (await identify()).vendor;
  } catch (error) {
    if (error instanceof ModbusException || error instanceof LinkError) return undefined;
    throw error;
  }
}

const namesItself = ({ hints }: ModbusProfile, vendor = '', maker = ''): boolean =>
  hints?.vendor?.test(vendor) === true || hints?.sunspec?.test(maker) === true;

function ordered(vendor: string | undefined, maker: string | undefined): ModbusProfile[] {
  const rank = (profile: ModbusProfile): number => (namesItself(profile, vendor, maker) ? 0 : 1);
  return modbusProfiles.toSorted((a, b) => rank(a) - rank(b));
}

type Search = {
  read: ReadRegisters;
  /** What was found; undefined when the device is another one. */
  attempt<T>(look: () => Promise<T>): Promise<T | undefined>;
};

/** Reads with a limit, and asks nothing twice. */
function startSearch(read: ReadRegisters, patience: number): Search {
  const answers = new Map<string, Promise<readonly number[]>>();
  let hasAnswered = false;
  let silences = 0;

  return {
    async read(table, address, count) {
      const question = `${table} ${address} ${count}`;
      const known = answers.get(question);
      if (known) return known;
      if (answers.size >= mostRequests) throw new SearchEnded();
      const answer = read(table, address, count);
      answers.set(question, answer);
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
    async attempt(look) {
      try {
        return await look();
      } catch (error) {
        if (error instanceof NotThisDevice || isRefusal(error)) return undefined;
        if (!(error instanceof LinkError || error instanceof ModbusException)) throw error;
        if (silences <= patience) return undefined;
        throw hasAnswered ? new SearchEnded() : error;
      }
    },
  };
}
