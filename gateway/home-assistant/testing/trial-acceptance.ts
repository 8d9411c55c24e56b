import assert from 'node:assert/strict';

// The checks that Home Assistant makes on a device's discovery message, from its schemas of 2024.12 to 2026: homeassistant/components/
// mqtt/schemas.py, sensor.py, binary_sensor.py, abbreviations.py, and components/sensor/const.py. Unknown keys of the
// message, its device and its origin make it refuse the whole message; those of a component are ignored, which is worse.
type Keys = { required: readonly string[]; allowed: readonly string[] };

const message: Keys = {
  required: ['dev', 'o', 'cmps'],
  allowed: ['avty', 'avty_mode', 'avty_t', 'stat_t', 'qos', 'e'],
};
const device: Keys = {
  required: ['ids', 'name'],
  allowed: ['cns', 'mf', 'mdl', 'mdl_id', 'hw', 'sw', 'sn', 'sa', 'cu', 'via_device'],
};
const origin: Keys = { required: ['name'], allowed: ['sw', 'url'] };
const entity = ['name', 'stat_t', 'avty_t', 'val_tpl', 'dev_cla', 'ent_cat', 'exp_aft', 'en', 'ic'];
const components: Record<string, Keys> = {
  sensor: {
    required: ['p', 'uniq_id', 'name', 'stat_t'],
    allowed: [...entity, 'stat_cla', 'unit_of_meas', 'sug_dsp_prc'],
  },
  binary_sensor: { required: ['p', 'uniq_id', 'name', 'stat_t'], allowed: [...entity, 'pl_on', 'pl_off'] },
};

const numbers: Record<string, { units: readonly string[]; states: readonly string[] }> = {
  power: { units: ['W', 'kW'], states: ['measurement'] },
  energy: { units: ['Wh', 'kWh'], states: ['total', 'total_increasing'] },
  energy_storage: { units: ['Wh', 'kWh'], states: ['measurement'] },
  voltage: { units: ['V'], states: ['measurement'] },
  current: { units: ['A'], states: ['measurement'] },
  frequency: { units: ['Hz'], states: ['measurement'] },
  temperature: { units: ['°C'], states: ['measurement'] },
  battery: { units: ['%'], states: ['measurement'] },
};
const states = ['connectivity', 'running'];

const discoveryTopic = /^homeassistant\/device\/[a-zA-Z0-9_-]+\/config$/;

type Component = Record<string, string | number>;
export type Config = {
  dev: { ids: string[]; name: string; sn: string; via_device?: string };
  o: { name: string; sw: string };
  avty?: { t: string }[];
  avty_mode?: string;
  cmps: Record<string, Component>;
};

/** Returns the message as Home Assistant would accept it; fails with what it would refuse. */
export function accepted(topic: string, text: string | undefined): Config {
  assert.match(topic, discoveryTopic);
  const config = JSON.parse(text ?? '') as Config;
  check('message', config, message);
  check('dev', config.dev, device);
  check('o', config.o, origin);
  assert.ok(config.dev.ids.length > 0);
  for (const one of config.avty ?? []) check('avty', one, { required: ['t'], allowed: ['pl_avail', 'pl_not_avail'] });
  assert.ok([undefined, 'all', 'any', 'latest'].includes(config.avty_mode));
  for (const [id, component] of Object.entries(config.cmps)) checkComponent(id, component);
  return config;
}

function checkComponent(id: string, component: Component): void {
  assert.doesNotMatch(id, /\s/); // Home Assistant puts a space between the device and the component
  const keys = components[String(component.p)];
  assert.ok(keys, `${id} is a ${component.p}`);
  check(id, component, keys);
  assert.ok([undefined, 'diagnostic'].includes(component.ent_cat as string | undefined), id);
  const { dev_cla, stat_cla, unit_of_meas } = component;
  if (component.p === 'binary_sensor') assert.ok(states.includes(String(dev_cla)), `${id} is ${dev_cla}`);
  else if (dev_cla !== undefined) {
    const number = numbers[String(dev_cla)] ?? { units: [], states: [] };
    assert.ok(number.units.includes(String(unit_of_meas)), `${id} is ${dev_cla} in ${unit_of_meas}`);
    assert.ok(number.states.includes(String(stat_cla)), `${id} is ${dev_cla} as ${stat_cla}`);
  }
}

function check(what: string, object: object, { required, allowed }: Keys): void {
  const keys = Object.keys(object);
  const missing = required.filter((key) => !keys.includes(key));
  const unknown = keys.filter((key) => !required.includes(key) && !allowed.includes(key));
  assert.deepEqual({ what, missing, unknown }, { what, missing: [], unknown: [] });
}
