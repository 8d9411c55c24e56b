import type { Stored } from '#sim/fleet/ledger.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import type { PeerProcess } from './peer-process.ts';

/** One field of a DER, or all of them, in buckets. */
export type HistoryQuestion = { der: number; field?: string | undefined; from: number; to: number; widthMs: number };

/** Another time-series database; each query is the path of a GET. */
export type TimeSeriesPeer = ServerProcess &
  Pick<PeerProcess, 'killAndRestart'> & {
    name: string;
    /** Lines of InfluxDB's protocol, their times in ms; acknowledged when it resolves. */
    write(lines: string): Promise<void>;
    /** Waits until what it acknowledged lies on the disk as small as it will get. */
    settle(): Promise<void>;
    /** what its readings and their index take on the disk */
    bytes(): Promise<number>;
    /** The times at which it has a W, by DER. */
    stored(): Promise<Stored>;
    history(question: HistoryQuestion): string;
    /** All fields of these DERs, as they were last before an instant. */
    latest(ders: readonly number[], at: number): string;
    sumOfLatest(at: number): string;
    /** How many numbers such an answer holds. */
    countValues(answer: unknown): number;
  };

export const latestWithinMs = 5 * 60_000;
