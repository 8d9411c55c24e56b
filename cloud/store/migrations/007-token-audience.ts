/** Adds the time (ms) of a gateway's first token with an audience; null before. */
export const tokenAudience = 'alter table gateways add column token_audience_at bigint';
