import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { Position } from './grid-operators.ts';
import type { Terms } from './total.ts';

type Chosen = {
  area?: string | undefined;
  tariffId?: string | undefined;
  markup?: number | undefined;
  vat?: number | undefined;
};

/** What a price depends on; undefined without an area. The energy tax is that of the position, where it is known. */
export const termsOf = ({ area, tariffId, markup, vat }: Chosen, position: Position | undefined): Terms | undefined =>
  area
    ? {
        area,
        ...position,
        ...(tariffId && { tariff_id: tariffId }),
        ...(markup !== undefined && { markup }),
        ...(vat !== undefined && { vat }),
      }
    : undefined;

export const termsOfSite = (site: SiteDetails): Terms | undefined =>
  termsOf({ area: site.price_area, tariffId: site.tariff_id }, positionOf(site));

export function positionOf({ latitude: lat, longitude: lon }: SiteDetails): Position | undefined {
  return lat === undefined || lon === undefined ? undefined : { lat, lon };
}
