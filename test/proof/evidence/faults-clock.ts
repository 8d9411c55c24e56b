import { type Evidence, testsIn } from '../evidence.ts';

/** What clocks do wrong, and what they rightly do. */
export const faultsOfClocks: readonly Evidence[] = [
  {
    id: 'F12',
    what: 'A clock that jumps moves no lease, costs no sample, and is no fault of the platform or of prices.',
    tests: [
      ...testsIn(
        'test/faults/clock-jumps.test.ts',
        '…, ends when its seconds are over, no sooner and no later',
        '…, serves or refuses, and is itself again when the clock is right',
        '…, are those of that day or none, and the same as before when the clock is right',
      ),
      ...testsIn(
        'gateway/uplink/outbox/age.test.ts',
        'a clock that jumps … and back costs no sample',
        'samples taken with the time of before a power cut wait, and are dated when the network has told the time',
        'a clock that was set is believed when it has gone on for an hour',
      ),
      ...testsIn(
        'gateway/uplink/known-time.test.ts',
        'is taken as it is ten minutes later, when nobody has told it',
        'is taken as it is where nothing asks the network',
      ),
      ...testsIn(
        'cloud/store/telemetry/wrong-clock.test.ts',
        'a clock that is a year ahead for a while makes … forget nothing and refuse nothing',
        'where readings follow the clock that is ahead, … forgets a day each time',
        'what arrived by a clock that was ahead is sealed in … when it is set right',
        'what arrives while an hour is sealed stays, also when others of the hour are ahead of it',
      ),
      ...testsIn(
        'cloud/store/telemetry/arrivals.test.ts',
        'what arrives at the same time, or after the clock was set back a little, is later all the same',
        'after a clock that was days ahead is set right, arrivals follow it',
      ),
      ...testsIn('cloud/commands/forget-ended.test.ts', 'are not made old by a clock that is a year ahead'),
      ...testsIn(
        'cloud/telemetry/ingest.test.ts',
        'nothing is too old by a clock that is behind: the gateways keep it until the clock is right',
      ),
    ],
  },
  {
    id: 'F13',
    what: 'Days have 23, 24 or 25 hours where the clocks say so; an hour that occurs twice is the first.',
    tests: [
      ...testsIn('price/total/wall-clock.test.ts', 'both nights of a clock change are told quarter by quarter'),
      ...testsIn(
        'price/tariffs/zone-clock.test.ts',
        'a time that occurs twice is the first',
        'every hour of three years comes back from what the clocks show, but for the second of two',
      ),
      ...testsIn(
        'test/price/two-years.test.ts',
        'every day of two years in … areas, from the document of the market to the answer',
      ),
      ...testsIn('test/price/total.test.ts', 'of a day when the clocks change has 23 or 25 hours'),
    ],
  },
];
