/** Price characteristics of an area, in EUR/MWh. */
type Character = {
  level: number;
  /** difference between evening and base */
  swing: number;
  /** reduction by solar power at noon in June */
  solar: number;
  /** difference between calm and storm */
  wind: number;
};

export type Domain = Character & {
  eic: string;
  /** length of an interval since the change to quarter-hours */
  stepMinutes: 15 | 30 | 60;
  /** names used by the publishers of JSON */
  names: readonly string[];
  seed: number;
};

const hydro: Character = { level: 28, swing: 12, solar: 4, wind: 18 };
const north: Character = { level: 22, swing: 8, solar: 2, wind: 22 };
const baltic: Character = { level: 72, swing: 40, solar: 55, wind: 60 };
const nordic: Character = { level: 48, swing: 30, solar: 25, wind: 45 };
const central: Character = { level: 82, swing: 42, solar: 105, wind: 60 };
const sunny: Character = { level: 68, swing: 35, solar: 100, wind: 40 };
const east: Character = { level: 98, swing: 55, solar: 80, wind: 30 };
const expensive: Character = { level: 108, swing: 38, solar: 55, wind: 25 };

type Row = [eic: string, character: Character, names?: string, stepMinutes?: Domain['stepMinutes']];

// Great Britain, Cyprus, Malta, Türkiye, Bosnia and Moldova do not publish prices here.
const rows: readonly Row[] = [
  ['10YAT-APG------L', central, 'AT at'],
  ['10YBE----------2', central, 'BE'],
  ['10YCA-BULGARIA-R', east, 'BG'],
  ['10YCH-SWISSGRIDZ', central, 'CH', 60],
  ['10YCZ-CEPS-----N', central, 'CZ'],
  ['10Y1001A1001A82H', central, 'DE-LU GER de'],
  ['10Y1001A1001A39I', baltic, 'EE ee'],
  ['10YES-REE------0', sunny, 'ES'],
  ['10YFI-1--------U', nordic, 'FI fi'],
  ['10YFR-RTE------C', sunny, 'FR'],
  ['10YGR-HTSO-----Y', east, 'GR'],
  ['10YHR-HEP------M', east, 'HR'],
  ['10YHU-MAVIR----U', east, 'HU'],
  ['10Y1001A1001A59C', expensive, '', 30],
  ['10YLT-1001A0008Q', baltic, 'LT lt'],
  ['10YLV-1001A00074', baltic, 'LV lv'],
  ['10YNL----------L', central, 'NL'],
  ['10YPL-AREA-----S', east, 'PL'],
  ['10YPT-REN------W', sunny, 'PT'],
  ['10YRO-TEL------P', east, 'RO'],
  ['10YSI-ELES-----O', east, 'SI'],
  ['10YSK-SEPS-----K', east, 'SK'],
  ['10YDK-1--------W', nordic, 'DK1'],
  ['10YDK-2--------M', nordic, 'DK2'],
  ['10YNO-1--------2', hydro, 'NO1'],
  ['10YNO-2--------T', nordic, 'NO2'],
  ['10YNO-3--------J', north, 'NO3'],
  ['10YNO-4--------9', north, 'NO4'],
  ['10Y1001A1001A48H', hydro, 'NO5'],
  ['10Y1001A1001A44P', north, 'SE1'],
  ['10Y1001A1001A45N', north, 'SE2'],
  ['10Y1001A1001A46L', nordic, 'SE3'],
  ['10Y1001A1001A47J', nordic, 'SE4'],
  ['10Y1001A1001A73I', expensive, 'IT-North'],
  ['10Y1001A1001A70O', expensive, 'IT-Centre-North'],
  ['10Y1001A1001A71M', expensive, 'IT-Centre-South'],
  ['10Y1001A1001A788', expensive, 'IT-South'],
  ['10Y1001C--00096J', expensive, 'IT-Calabria'],
  ['10Y1001A1001A75E', expensive, 'IT-Sicily'],
  ['10Y1001A1001A74G', expensive, 'IT-Sardinia'],
  ['10YCS-SERBIATSOV', east, 'RS', 60],
  ['10YCS-CG-TSO---S', east, 'ME', 60],
  ['10YMK-MEPSO----8', east, '', 60],
  ['10YAL-KESH-----5', east, '', 60],
  ['10Y1001C--00100H', east, '', 60],
  ['10Y1001C--000182', east, '', 60],
];

export const domains: readonly Domain[] = rows.map(([eic, character, names = '', stepMinutes = 15], index) => ({
  eic,
  ...character,
  names: names.split(' ').filter(Boolean),
  stepMinutes,
  seed: 1000 + index * 17,
}));

export const findDomain = (eic: string): Domain | undefined => domains.find((domain) => domain.eic === eic);

export const findNamed = (name: string): Domain | undefined => domains.find(({ names }) => names.includes(name));
