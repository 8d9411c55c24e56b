/** Pure parts of the product whose tests must notice almost every change. */
export type Core = { name: string; files: readonly string[]; tests: readonly string[] };

export const cores: readonly Core[] = [
  {
    name: 'claim',
    files: ['contract/claim.ts', 'cloud/gateways/claim.ts'],
    tests: [
      'contract/claim.test.ts',
      'cloud/gateways/claim.test.ts',
      'cloud/gateways/claim-settings.test.ts',
      'cloud/commands/release.test.ts',
    ],
  },
  {
    name: 'authorize',
    files: ['cloud/access/authorize.ts', 'cloud/access/caller.ts', 'contract/access.ts'],
    tests: [
      'cloud/organizations/organizations.test.ts',
      'cloud/access/paging.test.ts',
      'test/attacks/authorization.test.ts',
    ],
  },
  { name: 'bill', files: ['price/total/bill.ts'], tests: ['test/price/bill.test.ts', 'test/price/peaks.test.ts'] },
  {
    name: 'charges',
    files: ['price/total/charges.ts'],
    tests: ['test/price/total.test.ts', 'test/price/bill.test.ts', 'test/price/spot-linked.test.ts'],
  },
  {
    name: 'codec',
    files: ['cloud/store/telemetry/codec/integers.ts', 'cloud/store/telemetry/codec/numbers.ts'],
    tests: ['cloud/store/telemetry/codec/reading-chunk.test.ts', 'cloud/store/telemetry/released-chunks.test.ts'],
  },
  {
    name: 'lease',
    files: ['gateway/control/lease.ts'],
    tests: ['gateway/control/lease.test.ts', 'gateway/control/lease-refresh.test.ts'],
  },
  {
    name: 'decoders',
    files: ['gateway/profiles/map/evaluate.ts'],
    tests: ['gateway/profiles/map/evaluate.test.ts', 'gateway/profiles/profiles.test.ts'],
  },
];
