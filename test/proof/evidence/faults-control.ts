import { type Evidence, testsIn } from '../evidence.ts';

const faults = (part: string, ...titles: string[]) => testsIn(`test/faults/${part}.test.ts`, ...titles);

/** What can break while power is moved. */
export const faultsOfControl: readonly Evidence[] = [
  {
    id: 'F23',
    what: 'A command that nothing follows ends by itself, which is read back from the device.',
    tests: [
      ...faults('control', 'a lease of its own ends each part'),
      ...testsIn('gateway/control/lease.test.ts', 'a command is applied, expires and is released'),
    ],
  },
  {
    id: 'F24',
    what: 'Whatever of the gateway dies or hangs, the inverter is back in its own mode in time.',
    tests: [
      ...faults(
        'control-kill.long',
        'the inverter is back within … s of the end of the lease, whatever dies or hangs',
        'the same runs catch a gateway without its watchdog',
      ),
      ...faults('control', 'a gateway releases what one before it has left under control, and takes up nothing'),
    ],
  },
  {
    id: 'F25',
    what: 'Repeated, late, expired, conflicting and refused commands do nothing wrong, and everything is released in the end.',
    tests: [
      ...testsIn(
        'gateway/control/lease.test.ts',
        'whatever happens, only valid commands are applied, and everything is released in the end',
      ),
      ...testsIn(
        'gateway/control/device-control.test.ts',
        'commands that come together learn once what has to be put back, before any of them is carried out',
        'a device that was released is not released again because its marker could not be removed',
        'a device that cannot be told again for as long as it remembers is let go, and the command has failed',
      ),
      ...faults(
        'control',
        'a command with an id that was seen has no effect, also after a restart',
        'a local command overrides the platform while its lease holds',
        'a device that is lost is released as soon as it is back',
      ),
      ...faults(
        'control-refused',
        'a part that cannot be released keeps no other from it, and is told',
        'is not taken for released',
        'who commands at home is told of a device that …, until it obeys',
      ),
    ],
  },
  {
    id: 'F26',
    what: 'Control ends when the data of the device goes stale.',
    tests: [
      ...faults(
        'control',
        'data that goes stale ends control, and none is taken up on it',
        'what is told of the panels says nothing of the battery',
      ),
      ...testsIn(
        'gateway/devices/modbus-driver.test.ts',
        'a device that answers without a value is lost after three rounds',
      ),
    ],
  },
];
