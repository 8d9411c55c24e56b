/** The targets, worded as in docs/performance.md. A benchmark that measures one uses the same words. */
export const reach = {
  ingest: 'Durable ingest, embedded, pipelined QoS 1, 15 fields',
  storedBytes: 'Stored bytes per reading of 15 fields, sealed',
  history: '24 h of a DER in 5-minute buckets / 30 days by the hour, 10 M readings',
  latest: 'The latest 15 fields of 50 DERs / the sum of the latest W',
  energyYear: 'The energy of a year, one site, HTTP',
  energyIngest: 'The energy ledger, CPU per reading',
  energyBill: 'Bill of a month from the ledger',
  kills: 'Acknowledged readings lost over 12 kills, each system',
  streams: 'SSE',
  gateways: 'Gateways connected and publishing every 10 s',
  mix: 'REST mix at 2 000 req/s',
  get: 'Authenticated GET',
  start: 'Cold start of the whole stack to `ready`',
} as const;
