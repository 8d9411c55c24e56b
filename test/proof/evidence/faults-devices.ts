import { type Evidence, testsIn } from '../evidence.ts';

const modbus = (part: string, ...titles: string[]) => testsIn(`gateway/links/modbus/${part}.test.ts`, ...titles);
const p1 = (part: string, ...titles: string[]) => testsIn(`gateway/p1/${part}.test.ts`, ...titles);

/** What devices and their wires do wrong. */
export const faultsOfDevices: readonly Evidence[] = [
  {
    id: 'F19',
    what: 'A Modbus device that misbehaves costs its own values, in time, and never gives a wrong one.',
    tests: [
      ...modbus('hostile', '…: …, and on it goes'),
      ...modbus(
        'buses',
        'counts late answers and exceptions',
        'reopens a connection on which nothing is answered any more',
      ),
      ...testsIn('test/gateway/faults.test.ts', '… of one unit leaves another one at the same address alone'),
    ],
  },
  {
    id: 'F20',
    what: 'Noise, echoes and damage on a serial line give no value, and the line comes back into step.',
    tests: [
      ...modbus(
        'rtu',
        'with noise between the frames is never taken at its word',
        'lets a unit that is slow come back into step, however often it was late',
      ),
      ...modbus('framing.property', 'gives no value of a damaged answer'),
    ],
  },
  {
    id: 'F21',
    what: 'A damaged telegram gives no value, and the next good one is read.',
    tests: [
      ...p1('damage', 'one bit or byte that is wrong never gives a wrong value'),
      ...p1(
        'failed-frames',
        'an endless telegram fails once, and what follows is read',
        'a telegram cut off by the next one fails, the next is read',
      ),
    ],
  },
  {
    id: 'F22',
    what: 'What a broker of a device had kept is not taken for fresh.',
    tests: testsIn(
      'gateway/links/mqtt/link.test.ts',
      'a charger behind a broker: what was kept is not fresh, what is new is, silence makes it stale',
      'comes back after the broker was away, and listens again',
    ),
  },
];
