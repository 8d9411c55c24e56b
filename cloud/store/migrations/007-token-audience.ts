import type { Db } from '../engine.ts';

/** Adds the time (ms) of a gateway's first token with an audience; null before. */
export async function tokenAudience({ schema }: Db): Promise<void> {
  await schema.alterTable('gateways').addColumn('token_audience_at', 'bigint').execute();
}
