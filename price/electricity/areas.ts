/** A price area (bidding zone). */
export type Area = {
  /** for example SE3 */
  code: string;
  /** for example Sweden */
  country: string;
  countryCode: string;
  /** Energy Identification Code of the market area */
  eic: string;
  /** time zone of the market day */
  timeZone: string;
  /** whether a market publishes prices for it */
  isPriced: boolean;
};

type Row = [code: string, country: string, countryCode: string, eic: string];

/** An area of the coupled day-ahead market, whose day runs from midnight to midnight in Brussels, in Ireland too. */
const coupled = (...[code, country, countryCode, eic]: Row): Area => ({
  code,
  country,
  countryCode,
  eic,
  timeZone: 'Europe/Brussels',
  isPriced: true,
});

const unpriced = (...[code, country, countryCode, eic, timeZone]: [...Row, timeZone: string]): Area => ({
  ...coupled(code, country, countryCode, eic),
  timeZone,
  isPriced: false,
});

/** EICs are those of the price domain: Germany and Luxembourg share a price, Ireland has that of the island, Italy that of the north. */
export const listedAreas: readonly Area[] = [
  coupled('AT', 'Austria', 'AT', '10YAT-APG------L'),
  coupled('BE', 'Belgium', 'BE', '10YBE----------2'),
  coupled('BG', 'Bulgaria', 'BG', '10YCA-BULGARIA-R'),
  coupled('CH', 'Switzerland', 'CH', '10YCH-SWISSGRIDZ'),
  unpriced('CY', 'Cyprus', 'CY', '10YCY-1001A0003J', 'Asia/Nicosia'),
  coupled('CZ', 'Czechia', 'CZ', '10YCZ-CEPS-----N'),
  coupled('DE', 'Germany', 'DE', '10Y1001A1001A82H'),
  coupled('EE', 'Estonia', 'EE', '10Y1001A1001A39I'),
  coupled('ES', 'Spain', 'ES', '10YES-REE------0'),
  coupled('FI', 'Finland', 'FI', '10YFI-1--------U'),
  coupled('FR', 'France', 'FR', '10YFR-RTE------C'),
  unpriced('GB', 'Great Britain', 'GB', '10YGB----------A', 'Europe/London'),
  coupled('GR', 'Greece', 'GR', '10YGR-HTSO-----Y'),
  coupled('HR', 'Croatia', 'HR', '10YHR-HEP------M'),
  coupled('HU', 'Hungary', 'HU', '10YHU-MAVIR----U'),
  coupled('IE', 'Ireland', 'IE', '10Y1001A1001A59C'),
  coupled('IT', 'Italy', 'IT', '10Y1001A1001A73I'),
  coupled('LT', 'Lithuania', 'LT', '10YLT-1001A0008Q'),
  coupled('LU', 'Luxembourg', 'LU', '10Y1001A1001A82H'),
  coupled('LV', 'Latvia', 'LV', '10YLV-1001A00074'),
  unpriced('MT', 'Malta', 'MT', '10Y1001A1001A93C', 'Europe/Malta'),
  coupled('NL', 'Netherlands', 'NL', '10YNL----------L'),
  coupled('PL', 'Poland', 'PL', '10YPL-AREA-----S'),
  coupled('PT', 'Portugal', 'PT', '10YPT-REN------W'),
  coupled('RO', 'Romania', 'RO', '10YRO-TEL------P'),
  coupled('SI', 'Slovenia', 'SI', '10YSI-ELES-----O'),
  coupled('SK', 'Slovakia', 'SK', '10YSK-SEPS-----K'),
  unpriced('TR', 'Türkiye', 'TR', '10YTR-TEIAS----W', 'Europe/Istanbul'),
  coupled('DK1', 'Denmark', 'DK', '10YDK-1--------W'),
  coupled('DK2', 'Denmark', 'DK', '10YDK-2--------M'),
  coupled('NO1', 'Norway', 'NO', '10YNO-1--------2'),
  coupled('NO2', 'Norway', 'NO', '10YNO-2--------T'),
  coupled('NO3', 'Norway', 'NO', '10YNO-3--------J'),
  coupled('NO4', 'Norway', 'NO', '10YNO-4--------9'),
  coupled('NO5', 'Norway', 'NO', '10Y1001A1001A48H'),
  coupled('SE1', 'Sweden', 'SE', '10Y1001A1001A44P'),
  coupled('SE2', 'Sweden', 'SE', '10Y1001A1001A45N'),
  coupled('SE3', 'Sweden', 'SE', '10Y1001A1001A46L'),
  coupled('SE4', 'Sweden', 'SE', '10Y1001A1001A47J'),
];

/** Areas that only the legacy interface lists. */
const otherAreas: readonly Area[] = [
  coupled('DE_LU', 'Germany', 'DE', '10Y1001A1001A82H'),
  coupled('IT_NORD', 'Italy', 'IT', '10Y1001A1001A73I'),
  coupled('IT_CNOR', 'Italy', 'IT', '10Y1001A1001A70O'),
  coupled('IT_CSUD', 'Italy', 'IT', '10Y1001A1001A71M'),
  coupled('IT_SUD', 'Italy', 'IT', '10Y1001A1001A788'),
  coupled('IT_CALA', 'Italy', 'IT', '10Y1001C--00096J'),
  coupled('IT_SICI', 'Italy', 'IT', '10Y1001A1001A75E'),
  coupled('IT_SARD', 'Italy', 'IT', '10Y1001A1001A74G'),
  coupled('RS', 'Serbia', 'RS', '10YCS-SERBIATSOV'),
  coupled('ME', 'Montenegro', 'ME', '10YCS-CG-TSO---S'),
  coupled('MK', 'North Macedonia', 'MK', '10YMK-MEPSO----8'),
  coupled('AL', 'Albania', 'AL', '10YAL-KESH-----5'),
  coupled('XK', 'Kosovo', 'XK', '10Y1001C--00100H'),
  unpriced('BA', 'Bosnia and Herzegovina', 'BA', '10YBA-JPCC-----D', 'Europe/Sarajevo'),
  unpriced('MD', 'Moldova', 'MD', '10Y1001A1001A990', 'Europe/Chisinau'),
  coupled('UA', 'Ukraine', 'UA', '10Y1001C--000182'),
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
const byName = new Map([
  ...areas.toReversed().map((area) => [area.eic, area] as const), // the first listed area of a price domain wins
  ...Object.entries(otherNames).map(([name, code]) => [name, byCode.get(code)!] as const),
]);

/** Finds an area by its code in any spelling, or by its EIC. */
export function findArea(text: string): Area | undefined {
  const short = shortened(text);
  return byCode.get(short) ?? byName.get(short) ?? byName.get(text.toUpperCase());
}

/** Returns the area name for an answer: a country with several areas keeps the name from the request. */
export function nameAsAsked(text: string, area: Area): string {
  const short = shortened(text);
  return Object.hasOwn(capitalAreas, short) ? short : area.code;
}
