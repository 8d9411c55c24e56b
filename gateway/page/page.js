// Runs in the browser as it is: lists the devices with what they measure, every two seconds.

const everyMs = 2000;
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

async function ask(path) {
  const answer = await fetch(path, { headers: { 'x-api-form': 'later' } });
  if (answer.status === 204) return {};
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message);
  return body;
}

function element(name, { text, className } = {}, children = []) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function row(label, value, className) {
  return element('tr', { className }, [element('th', { text: label }), element('td', { text: value })]);
}

function kindRows(kind, reading) {
  const [inward, outward] = directions[kind];
  const way = reading.W > 0 ? inward : reading.W < 0 ? outward : '';
  const head = reading.W === undefined ? '' : `${power(reading.W)} ${way}`;
  const details = rows.filter(([field]) => reading[field] !== undefined);
  return [row(names[kind], head, 'kind'), ...details.map(([field, label, show]) => row(label, show(reading[field])))];
}

function card(device, snapshot) {
  const readings = Object.keys(names).filter((kind) => snapshot[kind]);
  const age = device.last_harvest
    ? `${Math.max(0, Math.round((Date.now() - device.last_harvest) / 1000))} s ago`
    : 'no reading yet';
  const state = device.connected ? `connected, ${age}` : `${device.error ?? 'Not connected.'} Last reading: ${age}.`;
  return element('article', { className: 'device' }, [
    element('h2', { text: device.sn }),
    element('p', { className: 'quiet', text: `${device.profile}, ${device.type.replace('_', ' ')}` }),
    element('p', { className: `quiet state ${device.connected ? 'connected' : 'lost'}`, text: state }),
    element(
      'table',
      {},
      readings.flatMap((kind) => kindRows(kind, snapshot[kind])),
    ),
  ]);
}

async function refresh() {
  const trouble = document.getElementById('trouble');
  try {
    const { devices } = await ask('/api/devices');
    const snapshots = await Promise.all(
      devices.map(({ sn }) => ask(`/api/devices/${encodeURIComponent(sn)}/data/json`)),
    );
    document
      .getElementById('devices')
      .replaceChildren(...devices.map((device, index) => card(device, snapshots[index])));
    document.getElementById('none').hidden = devices.length > 0;
    trouble.hidden = true;
  } catch (error) {
    trouble.textContent = `The gateway does not answer: ${error.message}`;
    trouble.hidden = false;
  }
  setTimeout(refresh, everyMs);
}

const { deviceName, serialNumber } = await ask('/api/crypto');
document.getElementById('gateway').textContent = `${deviceName} · ${serialNumber}`;
const json = "-H 'content-type: application/json'";
document.getElementById('recipe').textContent = [
  `curl ${location.origin}/api/devices/detect ${json} \\`,
  `  -d '{"ip": "192.168.1.50"}'`,
  `curl ${location.origin}/api/devices ${json} \\`,
  `  -d '{"type": "modbus_tcp", "ip": "192.168.1.50", "port": 502,`,
  `       "unit_id": 1, "profile": "sungrow"}'`,
].join('\n');
await refresh();
