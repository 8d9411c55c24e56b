import { useEffect } from 'preact/hooks';
import { keep, kept } from '../../parts/keep.ts';
import { type Params, place } from '../../parts/router.tsx';
import { lookedAt } from './looked-at.ts';
import { Prices } from './prices.tsx';
import { SitePrices } from './site-prices.tsx';

export default function PricesPage({ params }: { params: Params }) {
  return params.site ? <SitePrices id={params.site} /> : <PublicPrices />;
}

/** Anybody may look at the prices of an area; the browser remembers which. */
function PublicPrices() {
  const looked = lookedAt(place.value.searchParams, { area: kept('area') });
  useEffect(() => keep('area', looked.area), [looked.area]);
  return <Prices looked={looked} />;
}
