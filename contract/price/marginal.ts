import { routesOf } from '../route.ts';
import { optional, type Static, Text, Timestamp, Titled, Type } from '../schema.ts';
import { ContractPeriods } from './contract.ts';
import { LoadInstant, priced, priceProblems, priceTags, priceTerms } from './total.ts';

// Apart from total.ts, which pages load: no page shows marginal prices.
const api = routesOf(priceTags);

const PriceTerm = Titled('MarginalTerm', {
  start: Timestamp,
  end: Timestamp,
  import_fixed: Type.Number({ description: 'price of an imported kWh with taxes, apart from the spot price' }),
  import_spot: Type.Number({ description: 'times the spot price is added to it' }),
  export_fixed: Type.Number({ description: 'income of an exported kWh, apart from the spot price' }),
  export_spot: Type.Number({ description: 'times the spot price is added to it' }),
  support: Type.Optional(
    Type.Object(
      { above: Type.Number(), share: Type.Number() },
      { description: 'the state pays this share of an imported kWh above a spot price' },
    ),
  ),
});
export type PriceTerm = Static<typeof PriceTerm>;

const PowerCharge = Titled('PowerCharge', {
  name: Type.String(),
  window_s: Type.Integer({ description: 'a peak is the mean over an aligned window of this length' }),
  count: Type.Integer({ description: 'number of peaks whose mean is charged each month' }),
  one_per_day: Type.Boolean({ description: 'whether a day counts with its highest peak only' }),
  counted: Type.Array(Type.Object({ start: Timestamp, end: Timestamp, weight: Type.Number() }), {
    description: 'when imports count, and for how much',
  }),
  ...optional({
    price_per_kw: Type.Number({ description: 'of a month, with VAT; or tiers' }),
    tiers: Type.Array(Type.Object({ up_to_kw: Type.Number(), fee: Type.Number() })),
  }),
});
export type PowerCharge = Static<typeof PowerCharge>;

export const MarginalPrice = Titled('MarginalPrice', {
  ...priced,
  timezone: Type.String({ description: 'of the tariff' }),
  terms: Type.Array(PriceTerm),
  spot: Type.Array(Type.Object({ start: Timestamp, end: Timestamp, price: Type.Number() }), {
    description: 'known spot prices per kWh without VAT',
  }),
  power_charges: Type.Array(PowerCharge),
  is_simulated: Type.Boolean({ description: 'whether any spot price is simulated' }),
  notes: Type.Array(Type.String()),
});
export type MarginalPrice = Static<typeof MarginalPrice>;

export const maxMarginalDays = 93;

export const getMarginalPrice = api.post('/price/marginal', 'Get what one more kilowatt-hour costs a household', {
  description:
    'Returns the price of an imported and of an exported kilowatt-hour as a line over the spot price, the known spot prices, ' +
    `and the power charges with the times that count: the input of a plan. At most ${maxMarginalDays} days.`,
  readOnly: true,
  body: Type.Object({
    ...priceTerms,
    ...optional({ contracts: ContractPeriods, timezone: Text(64, 'IANA name, for the days of contracts') }),
    from: LoadInstant('start, RFC 3339, Unix seconds or milliseconds'),
    to: LoadInstant('end'),
  }),
  replies: { 200: MarginalPrice },
  problems: priceProblems,
});
