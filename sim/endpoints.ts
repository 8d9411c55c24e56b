import type { Clock } from '#lib/clock.ts';
import type { Faults } from './faults.ts';
import type { House } from './house.ts';
import type { ListenAddress } from './listen.ts';
import type { Bank } from './modbus/bank.ts';
import { deye } from './modbus/banks/deye.ts';
import { goodwe } from './modbus/banks/goodwe.ts';
import { huawei } from './modbus/banks/huawei.ts';
import { sdm630 } from './modbus/banks/sdm630.ts';
import { sma } from './modbus/banks/sma.ts';
import { solaredge } from './modbus/banks/solaredge.ts';
import { solis } from './modbus/banks/solis.ts';
import { sungrowHybrid, sungrowString } from './modbus/banks/sungrow.ts';
import { froniusGen24, froniusSmartMeter, sunspec } from './modbus/banks/sunspec.ts';
import { victron } from './modbus/banks/victron.ts';
import { createDevice } from './modbus/device.ts';
import { startModbusRtuOverTcp } from './modbus/rtu.ts';
import { startModbusTcp } from './modbus/tcp.ts';
import { startAmbibox } from './mqtt/ambibox.ts';
import { startFerroamp } from './mqtt/ferroamp.ts';
import { startFerroampDc2 } from './mqtt/ferroamp-dc2.ts';
import type { MqttDevice, MqttDeviceOptions } from './mqtt/mqtt-device.ts';
import { type P1FormatName, p1FormatNames, p1Formats } from './p1/formats.ts';
import { startP1Tcp } from './p1/meter.ts';

/** The body of POST /api/devices that adds the device to a gateway. */
export type ConnectionRequest = { type: string; profile: string } & Record<string, string | number>;

export type StreetDevice = {
  name: string;
  title: string;
  /** profile id in the gateway */
  profile: string;
  connection: ConnectionRequest;
  faults: Faults;
  /** present if the battery or charger can be controlled */
  mode?(): 'self-consumption' | 'forced';
};

type EndpointOptions = ListenAddress & { house: House; clock: Clock };

/** One network endpoint of the street, with one or more devices. */
export type StreetEndpoint = {
  players: readonly { name: string; title: string }[];
  start(stage: EndpointOptions): Promise<{ players: StreetDevice[]; close(): Promise<void> }>;
};

const reachable = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host);

function modbus(banks: Record<string, Bank>, wire: 'modbus_tcp' | 'modbus_rtu' = 'modbus_tcp'): StreetEndpoint {
  const players = Object.entries(banks).map(([name, bank]) => ({ name, title: bank.title, bank }));
  return {
    players,
    async start({ house, clock, ...address }) {
      const started = players.map(({ bank, ...player }) => ({
        ...player,
        device: createDevice(bank, { house, clock }),
      }));
      const devices = started.map(({ device }) => device);
      const listen = wire === 'modbus_tcp' ? startModbusTcp : startModbusRtuOverTcp;
      const { host, port, close } = await listen(devices, address);
      const ip = reachable(host);
      const place = wire === 'modbus_tcp' ? { ip, port } : { serial_port: `tcp://${ip}:${port}`, baud_rate: 9600 };
      return {
        close,
        players: started.map(({ name, title, device: { bank, faults, mode } }) => ({
          name,
          title,
          profile: bank.profile,
          faults,
          connection: { type: wire, profile: bank.profile, ...place, unit_id: bank.unit },
          ...(bank.control && { mode }),
        })),
      };
    },
  };
}

function p1(format: P1FormatName): StreetEndpoint {
  const { title, line, key } = p1Formats[format];
  const player = { name: `p1-${format}`, title };
  return {
    players: [player],
    async start({ house, clock, ...address }) {
      const { host, port, faults, close } = await startP1Tcp({ format, house, clock }, address);
      const connection = {
        type: 'p1_uart',
        profile: 'p1_meter',
        manufacturer: 'Simulated', // otherwise a gateway derives the make from the first letters of the id
        serial_port: `tcp://${reachable(host)}:${port}`,
        baud_rate: line.baudRate,
        data_bits: line.dataBits ?? 8,
        parity: line.parity ?? 'none',
        ...(key && { decryption_key: key.toString('hex') }),
      };
      return { close, players: [{ ...player, profile: connection.profile, faults, connection }] };
    },
  };
}

function mqtt(
  name: string,
  profile: string,
  title: string,
  start: (options: MqttDeviceOptions) => Promise<MqttDevice>,
): StreetEndpoint {
  return {
    players: [{ name, title }],
    async start(stage) {
      const { host, port, login, faults, mode, close } = await start(stage);
      const connection = { type: 'mqtt', profile, broker_host: reachable(host), broker_port: port, ...login };
      return { close, players: [{ name, title, profile, faults, mode, connection }] };
    },
  };
}

/** All simulated devices, in the order of their ports. */
export const endpoints: readonly StreetEndpoint[] = [
  modbus({ sungrow: sungrowHybrid('SIMSUNGROW0001') }),
  modbus({ huawei: huawei('SIMHUAWEI0001') }),
  modbus({ solaredge: solaredge('SIMSOLAREDGE1') }),
  modbus({ 'deye-lv': deye('SIMDEYE001', 'low') }),
  modbus({ 'deye-hv': deye('SIMDEYE002', 'high') }),
  modbus({ sma: sma(990_000_001) }),
  modbus({ goodwe: goodwe('SIMGOODWE0000001') }),
  modbus({ sunspec: sunspec('SIMSUNSPEC001') }),
  modbus({ sdm630: sdm630(99_000_001) }),
  modbus({ 'sungrow-string': sungrowString('SIMSUNGROW0002') }),
  modbus({ solis: solis('SIMSOLIS0001') }),
  modbus({ fronius: froniusGen24('SIMFRONIUS01'), 'fronius-meter': froniusSmartMeter('SIMFRONIUS02') }),
  modbus({ victron: victron('SIMVICTRON01') }),
  modbus(
    { 'sdm630-rtu': { ...sdm630(99_000_002), title: 'Eastron SDM630 meter, RTU through a network adapter' } },
    'modbus_rtu',
  ),
  ...p1FormatNames.map(p1),
  mqtt('ferroamp', 'ferroamp', 'Ferroamp EnergyHub', startFerroamp),
  mqtt('ambibox', 'ambibox', 'Ambibox V2X charger', startAmbibox),
  mqtt('ferroamp-dc2', 'ferroamp_dc2', 'Ferroamp DC2 V2X charger', startFerroampDc2),
];

export const streetDevices = endpoints.flatMap(({ players }) => players);
