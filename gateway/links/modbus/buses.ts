import { hostPort } from '../link-error.ts';
import { type ByteLine, openSerialLine, openTcpLine, type SerialSettings, tcpEndpoint } from '../serial-line.ts';
import { Bus, type BusCounters } from './bus.ts';
import { type Framing, identifyRequest, readRequest, writeManyRequest, writeRequest } from './pdu.ts';
import { RtuFraming } from './rtu-framing.ts';
import { TcpFraming } from './tcp-framing.ts';
import type { ModbusUnit } from './unit.ts';

export type ModbusEndpoint = { host: string; port: number } | { line: SerialSettings };

export type ModbusBuses = ReturnType<typeof createModbusBuses>;
export type UnitLease = ReturnType<ModbusBuses['acquire']>;

/** The line is in use with other settings. */
export class LineInUse extends Error {
  override name = 'LineInUse';
}

type Wire = { name: string; settings: string; framing(): Framing; open(): Promise<ByteLine> };
type SharedBus = { bus: Bus; settings: string; users: number };

/** Manages the open buses. Units of one endpoint or serial line share its connection. */
export function createModbusBuses() {
  const shared = new Map<string, SharedBus>();
  const closing = new Map<string, Promise<void>>();

  function share(wire: Wire): SharedBus {
    const { name, settings } = wire;
    const known = shared.get(name);
    if (known && known.settings !== settings)
      throw new LineInUse(
        `${name} is in use with ${known.settings} and cannot be used with ${settings} at the same time.`,
      );
    if (known) return known;
    const before = closing.get(name);
    const open = async (): Promise<ByteLine> => {
      await before;
      return wire.open();
    };
    const fresh = { bus: new Bus(name, wire.framing(), open), settings, users: 0 };
    shared.set(name, fresh);
    return fresh;
  }

  function close(name: string, { bus }: SharedBus): Promise<void> {
    shared.delete(name);
    const closed = bus.close().finally(() => {
      if (closing.get(name) === closed) closing.delete(name);
    });
    closing.set(name, closed);
    return closed;
  }

  return {
    /** Returns a unit whose first request opens the bus. Throws LineInUse. */
    acquire(endpoint: ModbusEndpoint, unitId: number, { connectDelayMs = 0 }: { connectDelayMs?: number } = {}) {
      const wire = wireOf(endpoint);
      const member = share(wire);
      member.users++;
      member.bus.connection.delayMs = Math.max(member.bus.connection.delayMs, connectDelayMs);
      let isReleased = false;
      return {
        unit: unitOn(member.bus, unitId),
        /** Closes the bus with its last unit. Returns when the port is free for others. */
        async release(): Promise<void> {
          if (isReleased) return;
          isReleased = true;
          if (--member.users === 0 && shared.get(wire.name) === member) await close(wire.name, member);
        },
      };
    },
    counters: (): Map<string, BusCounters> => new Map([...shared].map(([name, { bus }]) => [name, bus.counters])),
    async close(): Promise<void> {
      await Promise.all([...[...shared].map(([name, member]) => close(name, member)), ...closing.values()]);
    },
  };
}

function wireOf(endpoint: ModbusEndpoint): Wire {
  if ('host' in endpoint) {
    const { host, port } = endpoint;
    return {
      name: hostPort(host, port),
      settings: 'Modbus TCP',
      framing: () => new TcpFraming(),
      open: () => openTcpLine(host, port),
    };
  }
  const { line } = endpoint;
  const adapter = tcpEndpoint(line.port);
  const parity = line.parity.charAt(0).toUpperCase();
  return {
    name: adapter ? hostPort(adapter.host, adapter.port) : line.port,
    settings: `Modbus RTU ${line.baudRate} ${line.dataBits}${parity}${line.stopBits}`,
    framing: () => new RtuFraming(line),
    open: () => openSerialLine(line),
  };
}

export function unitOn(bus: Bus, unitId: number): ModbusUnit {
  return {
    read: (table, address, count) => bus.request(unitId, readRequest(table, address, count), false),
    readUrgently: (table, address, count) => bus.request(unitId, readRequest(table, address, count), true),
    async write(address, value) {
      await bus.request(unitId, writeRequest(address, value), true);
    },
    async writeMany(address, values) {
      await bus.request(unitId, writeManyRequest(address, values), true);
    },
    async identify() {
      const vendor = (await bus.request(unitId, identifyRequest(0), true)).get(0); // its first object
      return vendor ? { vendor } : {};
    },
  };
}
