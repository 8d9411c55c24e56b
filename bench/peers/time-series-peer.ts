import type { Stored } from '#sim/fleet/ledger.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import type { PeerProcess } from './peer-process.ts';

/** One field of a DER, or all of them, in buckets. */
export type HistoryQuestion = { der: number; field?: string | undefined; from: number; to: number; widthMs: number };

/** Another time-series database; each query is the path of a GET. */
export type TimeSeriesPeer = ServerProcess &
  Pick<PeerProcess, 'killAndRestart'> & {
    name: string;
    /** Writes lines of InfluxDB's protocol, times in ms; resolves when they are acknowledged. */
    write(lines: string): Promise<void>;
    /** Waits until the acknowledged data is on disk and compacted. */
    settle(): Promise<void>;
    /** the size of its readings and their index on disk */
    bytes(): Promise<number>;
    /** Returns the times of its W values, by DER. */
    stored(): Promise<Stored>;
    history(question: HistoryQuestion): string;
    /** Returns the last values of all fields of these DERs before a time. */
    latest(ders: readonly number[], at: number): string;
    sumOfLatest(at: number): string;
    /** Returns how many numbers such an answer contains. */
    countValues(answer: unknown): number;
  };

export const latestWithinMs = 5 * 60_000;
