import { asArray, asObject } from './eltariff.ts';

export const updatesFolderName = 'tariffs'; // in the data folder
export const stateFile = 'tariff-updates.json'; // in the folder of updates

export type UpdateState = {
  /** of the last run, RFC 3339 */
  last_run?: string;
  /** number of operators whose lists were read in the last run */
  operators?: number;
  failures?: { source: string; message: string }[];
};

export function readUpdateState(text: string | undefined): UpdateState {
  try {
    const { last_run, operators, failures } = asObject(JSON.parse(text ?? '{}'));
    return {
      ...(typeof last_run === 'string' && { last_run }),
      ...(typeof operators === 'number' && { operators }),
      failures: asArray(failures)
        .map(asObject)
        .map(({ source, message }) => ({ source: String(source), message: String(message) })),
    };
  } catch {
    return {}; // written by hand; the next run replaces it
  }
}
