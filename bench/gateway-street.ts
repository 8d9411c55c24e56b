// Simulates inverters on a port each, in its own process. Reports their ports to the benchmark and exits with it.
import { systemClock } from '#lib/clock.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { createDevice } from '#sim/modbus/device.ts';
import { startModbusTcp } from '#sim/modbus/tcp.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';

const house = fixedHouse({ pv_W: -4321, battery_W: 1200, load_W: 800 });

async function startInverter(number: number): Promise<number> {
  const inverter = createDevice(sungrowHybrid(`A23${String(number).padStart(8, '0')}`), { house, clock: systemClock });
  const { port } = await startModbusTcp([inverter], { port: 0 });
  return port;
}

const count = Number(process.argv[2]);
const ports = await Promise.all(Array.from({ length: count }, (_, index) => startInverter(index + 1)));
process.on('disconnect', () => process.exit());
process.send!(ports);
