// Runs in the browser as it is: the devices with what they measure, and how the gateway is, every two seconds.
import { card } from './devices.js';
import { ask } from './gateway-api.js';
import { platformTable, signatureList } from './platform.js';

const everyMs = 2000;
const at = (id) => document.getElementById(id);

/** Somebody is typing or choosing: what they look at stays. */
const isBusy = () => at('devices').contains(document.activeElement) && document.activeElement.tagName === 'INPUT';

async function refreshDevices(control) {
  const { devices } = await ask('/api/devices');
  const snapshots = await Promise.all(devices.map(({ sn }) => ask(`/api/devices/${encodeURIComponent(sn)}/data/json`)));
  at('none').hidden = devices.length > 0;
  if (isBusy()) return;
  const heldOf = ({ sn }) => control.find((held) => held.sn === sn);
  at('devices').replaceChildren(...devices.map((device, index) => card(device, snapshots[index], heldOf(device))));
}

async function refresh() {
  try {
    const { uplink, control } = await ask('/api/status');
    await refreshDevices(control);
    at('platform').replaceChildren(platformTable(uplink));
    const { signatures } = await ask('/api/crypto/signatures');
    at('signatures').replaceChildren(...signatureList(signatures));
    if (at('log').open) at('lines').textContent = (await ask('/api/logs')).lines.join('\n');
    at('offline').hidden = true;
  } catch (error) {
    at('offline').textContent = `The gateway does not answer: ${error.message}`;
    at('offline').hidden = false;
  }
  setTimeout(() => void refresh(), everyMs);
}

const { deviceName, serialNumber } = await ask('/api/crypto');
at('gateway').textContent = `${deviceName} · ${serialNumber}`;
const json = "-H 'content-type: application/json'";
at('recipe').textContent = [
  `curl ${location.origin}/api/devices/detect ${json} \\`,
  `  -d '{"ip": "192.168.1.50"}'`,
  `curl ${location.origin}/api/devices ${json} \\`,
  `  -d '{"type": "modbus_tcp", "ip": "192.168.1.50", "port": 502,`,
  `       "unit_id": 1, "profile": "sungrow"}'`,
].join('\n');
await refresh();
