import type { HouseState, Phase } from '../house/state.ts';
import { type Message, type MqttDevice, type MqttDeviceOptions, parseCommand, startMqttDevice } from './mqtt-device.ts';

// Ferroamp EnergyHub: numbers as text, energy in mJ, battery + discharge, grid + import, PV positive.

const login = { username: 'extapi', password: 'sim-ferroamp' };
const mJ = (Wh: number): string => Math.round(Wh * 3_600_000).toString();
const decimal = (value: number): string => value.toFixed(2);
const val = (text: string): { val: string } => ({ val: text });
const phases = ({ phases: [L1, L2, L3] }: HouseState, value: (phase: Phase) => string) => ({
  L1: value(L1),
  L2: value(L2),
  L3: value(L3),
});
const soc = (h: HouseState): { val: string } => val((h.battery_soc_fract * 100).toFixed(1));
const stamp = (at: number): { val: string } => val(`${new Date(at).toISOString().slice(0, 19)}UTC`);
const third = (h: HouseState, Wh: number) => phases(h, () => mJ(Wh / 3));

const ehub = (h: HouseState, count: number) => ({
  ts: stamp(h.at),
  state: val('4097'),
  gridfreq: val(decimal(h.Hz)),
  ul: phases(h, ({ V }) => decimal(V)),
  pext: phases(h, ({ W }) => decimal(W)),
  iext: phases(h, ({ A }) => decimal(Math.abs(A))),
  il: phases(h, ({ V }) => decimal(Math.abs(h.pv_W + h.battery_W) / 3 / V)),
  ppv: val(decimal(-h.pv_W)),
  pbat: val(decimal(-h.battery_W)),
  wpv: val(mJ(h.Wh.generated)),
  wbatprod: val(mJ(h.Wh.discharged)),
  wbatcons: val(mJ(h.Wh.charged)),
  wextconsq: third(h, h.Wh.imported),
  wextprodq: third(h, h.Wh.exported),
  wextconsq3p: val(mJ(h.Wh.imported)),
  wextprodq3p: val(mJ(h.Wh.exported)),
  udc: { pos: '384.31', neg: '-383.96' },
  // The hub sends these far less often.
  ...(count % 9 === 0 && { soc: soc(h), soh: val('98.9'), ratedcap: val('10000') }),
});

const eso = (h: HouseState) => ({
  ts: stamp(h.at),
  id: val('SIMESO01'),
  soc: soc(h),
  ubat: val(h.battery_V.toFixed(3)),
  ibat: val((-h.battery_W / h.battery_V).toFixed(3)),
  wbatprod: val(mJ(h.Wh.discharged)),
  wbatcons: val(mJ(h.Wh.charged)),
  temp: val(h.battery_C.toFixed(3)),
  relaystatus: val('0'),
  faultcode: val('0'),
});

const sso = (h: HouseState, index: 0 | 1) => ({
  ts: stamp(h.at),
  id: val(`SIMSSO0${index + 1}`),
  upv: val(h.strings[index].V.toFixed(3)),
  ipv: val(h.strings[index].A.toFixed(3)),
  wpv: val(mJ(h.Wh.generated / 2)),
  udc: val('769.872'),
  temp: val(h.inverter_C.toFixed(3)),
  relaystatus: val('0'),
  faultcode: val('0'),
});

const esm = (h: HouseState) => ({
  ts: stamp(h.at),
  id: val('SIMESM01'),
  soh: val('98.9'),
  soc: soc(h),
  ratedCapacity: val('10000'),
  ratedPower: val('5000'),
  status: val('0'),
});

type Request = { transId: string; cmd: { name?: string; arg?: number | string } };

/** `forcedMs`: how long a forced mode lasts unless repeated. */
export async function startFerroamp(options: MqttDeviceOptions & { forcedMs?: number }): Promise<MqttDevice> {
  const { house, clock, forcedMs = 15_000 } = options;
  let untilMs = 0;
  let isLocked = false;

  function force(battery_W: number | undefined): string {
    untilMs = battery_W === undefined ? 0 : clock.now() + forcedMs;
    house.force(battery_W === undefined ? undefined : { battery_W }, untilMs);
    return '';
  }

  function limit(W: number): string {
    // A limit of zero is permanent: only the vendor's portal can lift it.
    isLocked ||= W === 0;
    house.limitPv(isLocked ? 0 : W);
    return '';
  }

  /** Returns an error message, or an empty string. */
  function run({ cmd }: Partial<Request>): string {
    const W = Number(cmd?.arg);
    const hasPower = cmd?.arg !== undefined && Number.isFinite(W) && W >= 0;
    switch (cmd?.name) {
      case 'extapiversion':
        return '';
      case 'auto':
        return force(undefined);
      case 'charge':
        return hasPower ? force(W) : 'bad argument';
      case 'discharge':
        return hasPower ? force(0 - W) : 'bad argument';
      case 'pplim':
        return hasPower ? limit(W) : 'bad argument';
      default:
        return 'unknown command';
    }
  }

  return startMqttDevice(options, {
    login,
    mode: () => (clock.now() < untilMs ? 'forced' : 'self-consumption'),
    report: (h, count) => [
      message('extapi/data/ehub', ehub(h, count)),
      message('extapi/data/eso', eso(h)),
      message('extapi/data/sso', sso(h, 0)),
      message('extapi/data/sso', sso(h, 1)),
      message('extapi/data/esm', esm(h)),
    ],
    handleCommand(topic, payload, isRefused) {
      if (topic !== 'extapi/control/request') return [];
      const request = parseCommand<Request>(payload);
      const error = isRefused ? 'refused' : run(request);
      const answer = {
        transId: request.transId ?? '',
        status: error ? 'nak' : 'ack',
        msg: error || 'SIM version 1.2.3',
      };
      return [message('extapi/control/response', answer)];
    },
  });
}

const message = (topic: string, content: object): Message => ({ topic, payload: JSON.stringify(content) });
