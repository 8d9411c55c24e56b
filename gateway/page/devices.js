import { controlOf } from './control.js';
import { element, row } from './element.js';

const names = { pv: 'Solar', battery: 'Battery', meter: 'Grid', v2x_charger: 'Charger' };
const directions = {
  pv: ['', 'generating'],
  battery: ['charging', 'discharging'],
  meter: ['import', 'export'],
  v2x_charger: ['charging', 'discharging'],
};
const rows = [
  ['SoC_nom_fract', 'State of charge', percent],
  ['vehicle_soc_fract', 'Vehicle', percent],
  ['total_generation_Wh', 'Generated', energy],
  ['total_import_Wh', 'Imported', energy],
  ['total_export_Wh', 'Exported', energy],
  ['total_charge_Wh', 'Charged', energy],
  ['total_discharge_Wh', 'Discharged', energy],
  ['Hz', 'Frequency', (value) => `${value.toFixed(2)} Hz`],
];

function percent(fraction) {
  return `${Math.round(fraction * 100)} %`;
}

function energy(wattHours) {
  return `${(wattHours / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} kWh`;
}

function power(watts) {
  const size = Math.abs(watts);
  return size < 1000 ? `${Math.round(size)} W` : `${(size / 1000).toFixed(2)} kW`;
}

function kindRows(kind, reading) {
  const [inward, outward] = directions[kind];
  const way = reading.W > 0 ? inward : reading.W < 0 ? outward : '';
  const head = reading.W === undefined ? '' : `${power(reading.W)} ${way}`;
  const details = rows.filter(([field]) => reading[field] !== undefined);
  return [row(names[kind], head, 'kind'), ...details.map(([field, label, show]) => row(label, show(reading[field])))];
}

/** A device with what it measures and, where it can be controlled, how. */
export function card(device, snapshot, held) {
  const readings = Object.keys(names).filter((kind) => snapshot[kind]);
  const seconds = Math.max(0, Math.round((Date.now() - device.last_harvest) / 1000));
  const age = device.last_harvest ? `${seconds} s ago` : 'no reading yet';
  const state = device.connected ? `connected, ${age}` : `${device.error ?? 'Not connected.'} Last reading: ${age}.`;
  return element('article', { className: 'device' }, [
    element('h2', { text: device.sn }),
    element('p', { className: 'quiet', text: `${device.profile}, ${device.type.replace('_', ' ')}` }),
    element('p', { className: `quiet state ${device.connected ? 'connected' : 'lost'}`, text: state }),
    element(
      'table',
      { className: device.connected ? '' : 'old' },
      readings.flatMap((kind) => kindRows(kind, snapshot[kind])),
    ),
    ...controlOf(device, held),
  ]);
}
