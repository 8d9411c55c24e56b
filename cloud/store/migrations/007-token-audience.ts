import type { Db } from '../engine.ts';

/** Since when the tokens of a gateway name an audience, ms; null while none did. */
export async function tokenAudience({ schema }: Db): Promise<void> {
  await schema.alterTable('gateways').addColumn('token_audience_at', 'bigint').execute();
}
