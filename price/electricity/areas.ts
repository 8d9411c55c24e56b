export type Area = {
  /** for example SE3 */
  code: string;
  country: string;
  countryCode: string;
  /** Energy Identification Code of the market area */
  eic: string;
  timeZone: string;
  isPriced: boolean;
};

/** Creates an area of the coupled day-ahead market, whose day runs from midnight to midnight in Brussels, in Ireland too. */
const coupled = (code: string, country: string, eic: string): Area => {
  const countryCode = code.slice(0, 2);
  return { code, country, countryCode, eic, timeZone: 'Europe/Brussels', isPriced: true };
};

const unpriced = (code: string, country: string, eic: string, timeZone: string): Area => ({
  ...coupled(code, country, eic),
  timeZone,
  isPriced: false,
});

/** EICs are those of the price domain: Germany and Luxembourg share a price, Ireland has that of the island, Italy that of the north. */
export const listedAreas: readonly Area[] = [
  coupled('AT', 'Austria', '10YAT-APG------L'),
  coupled('BE', 'Belgium', '10YBE----------2'),
  coupled('BG', 'Bulgaria', '10YCA-BULGARIA-R'),
  coupled('CH', 'Switzerland', '10YCH-SWISSGRIDZ'),
  unpriced('CY', 'Cyprus', '10YCY-1001A0003J', 'Asia/Nicosia'),
  coupled('CZ', 'Czechia', '10YCZ-CEPS-----N'),
  coupled('DE', 'Germany', '10Y1001A1001A82H'),
  coupled('EE', 'Estonia', '10Y1001A1001A39I'),
  coupled('ES', 'Spain', '10YES-REE------0'),
  coupled('FI', 'Finland', '10YFI-1--------U'),
  coupled('FR', 'France', '10YFR-RTE------C'),
  unpriced('GB', 'Great Britain', '10YGB----------A', 'Europe/London'),
  coupled('GR', 'Greece', '10YGR-HTSO-----Y'),
  coupled('HR', 'Croatia', '10YHR-HEP------M'),
  coupled('HU', 'Hungary', '10YHU-MAVIR----U'),
  coupled('IE', 'Ireland', '10Y1001A1001A59C'),
  coupled('IT', 'Italy', '10Y1001A1001A73I'),
  coupled('LT', 'Lithuania', '10YLT-1001A0008Q'),
  coupled('LU', 'Luxembourg', '10Y1001A1001A82H'),
  coupled('LV', 'Latvia', '10YLV-1001A00074'),
  unpriced('MT', 'Malta', '10Y1001A1001A93C', 'Europe/Malta'),
  coupled('NL', 'Netherlands', '10YNL----------L'),
  coupled('PL', 'Poland', '10YPL-AREA-----S'),
  coupled('PT', 'Portugal', '10YPT-REN------W'),
  coupled('RO', 'Romania', '10YRO-TEL------P'),
  coupled('SI', 'Slovenia', '10YSI-ELES-----O'),
  coupled('SK', 'Slovakia', '10YSK-SEPS-----K'),
  unpriced('TR', 'Türkiye', '10YTR-TEIAS----W', 'Europe/Istanbul'),
  coupled('DK1', 'Denmark', '10YDK-1--------W'),
  coupled('DK2', 'Denmark', '10YDK-2--------M'),
  coupled('NO1', 'Norway', '10YNO-1--------2'),
  coupled('NO2', 'Norway', '10YNO-2--------T'),
  coupled('NO3', 'Norway', '10YNO-3--------J'),
  coupled('NO4', 'Norway', '10YNO-4--------9'),
  coupled('NO5', 'Norway', '10Y1001A1001A48H'),
  coupled('SE1', 'Sweden', '10Y1001A1001A44P'),
  coupled('SE2', 'Sweden', '10Y1001A1001A45N'),
  coupled('SE3', 'Sweden', '10Y1001A1001A46L'),
  coupled('SE4', 'Sweden', '10Y1001A1001A47J'),
];

/** Areas that only the legacy interface lists. */
const otherAreas: readonly Area[] = [
  coupled('DE_LU', 'Germany', '10Y1001A1001A82H'),
  coupled('IT_NORD', 'Italy', '10Y1001A1001A73I'),
  coupled('IT_CNOR', 'Italy', '10Y1001A1001A70O'),
  coupled('IT_CSUD', 'Italy', '10Y1001A1001A71M'),
  coupled('IT_SUD', 'Italy', '10Y1001A1001A788'),
  coupled('IT_CALA', 'Italy', '10Y1001C--00096J'),
  coupled('IT_SICI', 'Italy', '10Y1001A1001A75E'),
  coupled('IT_SARD', 'Italy', '10Y1001A1001A74G'),
  coupled('RS', 'Serbia', '10YCS-SERBIATSOV'),
  coupled('ME', 'Montenegro', '10YCS-CG-TSO---S'),
  coupled('MK', 'North Macedonia', '10YMK-MEPSO----8'),
  coupled('AL', 'Albania', '10YAL-KESH-----5'),
  coupled('XK', 'Kosovo', '10Y1001C--00100H'),
  unpriced('BA', 'Bosnia and Herzegovina', '10YBA-JPCC-----D', 'Europe/Sarajevo'),
  unpriced('MD', 'Moldova', '10Y1001A1001A990', 'Europe/Chisinau'),
  coupled('UA', 'Ukraine', '10Y1001C--000182'),
];

export const areas: readonly Area[] = [...listedAreas, ...otherAreas];

/** A country with several areas means the area of its capital; an average would be a price that nobody pays. */
const capitalAreas: Record<string, string> = { DK: 'DK2', NO: 'NO1', SE: 'SE3' };

const otherNames: Record<string, string> = {
  ...capitalAreas,
  IESEM: 'IE',
  '10Y1001A1001A65H': 'DK2',
  '10YNO-0--------C': 'NO1',
  '10YSE-1--------K': 'SE3',
  '10Y1001A1001A83F': 'DE',
  '10YIT-GRTN-----B': 'IT',
};

const shortened = (code: string): string => code.toUpperCase().replace(/[_-]/g, '');

const byCode = new Map(areas.map((area) => [shortened(area.code), area]));
const byEic = new Map(areas.toReversed().map((area) => [area.eic, area])); // the first listed area of a price domain wins

/** Finds an area by its code in any spelling, or by its EIC. */
export function findArea(text: string): Area | undefined {
  const short = shortened(text);
  const eic = text.toUpperCase();
  const renamed = otherNames[short] ?? otherNames[eic] ?? '';
  return byCode.get(short) ?? byCode.get(renamed) ?? byEic.get(short) ?? byEic.get(eic);
}

/** Returns the area name for an answer: a country with several areas keeps the name from the request. */
export function nameAsAsked(text: string, area: Area): string {
  const short = shortened(text);
  return Object.hasOwn(capitalAreas, short) ? short : area.code;
}
