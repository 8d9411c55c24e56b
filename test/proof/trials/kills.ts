import type { Verdict } from '#sim/fleet/ledger.ts';
import { killUnderLoad as killGateway } from '../../faults/kill-gateway.ts';
import { killUnderLoad, type Victim } from '../../faults/kill-loop.ts';
import { everything, type Planted, platformAlone, postgresOfPlatform, rabbitOfPlatform } from '../../faults/victims.ts';
import { killWholeStack } from '../../faults/whole-stack.ts';
import type { Outcome, Proof } from '../proof.ts';

const full = 200;
const few = 3; // kills that find a planted bug

const what = (part: string): string => `Kills of ${part}: acknowledged samples lost, twice, never sent`;

const outcomeOf = (kills: number, { acknowledged, stored, lost, twice, phantom }: Verdict): Outcome => ({
  tried: kills,
  failed: lost + twice + phantom,
  notes: [`${acknowledged} acknowledged, ${stored} stored, ${lost} lost, ${twice} twice, ${phantom} never sent`],
});

type Kind = { id: string; part: string; seconds: number; open(planted?: Planted): Promise<Victim>; bug?: Planted };

const proofOf = ({ id, part, seconds, open, bug }: Kind): Proof => ({
  id,
  what: what(part),
  full,
  seconds,
  attempt: async (kills) => outcomeOf(kills, await killUnderLoad(await open(), kills)),
  ...(bug && { planted: async () => outcomeOf(few, await killUnderLoad(await open(bug), few)) }),
});

const gateway: Proof = {
  id: 'S1 gateway',
  what: what('the gateway'),
  full,
  seconds: 200,
  async attempt(kills) {
    const { kept, stored, lost, twice, reusedSeq } = await killGateway({ gateway: kills, platform: 0 });
    const notes = [`${kept} on disk, ${stored} stored, ${lost} lost, ${twice} twice, ${reusedSeq} numbers used again`];
    return { tried: kills, failed: lost + twice + reusedSeq, notes };
  },
  async planted() {
    const kills = { gateway: few, platform: 0, leastMs: 1000 };
    const { lost } = await killGateway(kills, { gateway: { PLANTED: 'early-word' } });
    return { tried: few, failed: lost };
  },
};

const mostDownMs = 20_000;

const wholeStack: Proof = {
  id: 'S25',
  what: `Kills of everything at once after which a device was not heard within ${mostDownMs / 1000} s`,
  full: 20,
  seconds: 200,
  async attempt(rounds) {
    const tookMs = (await killWholeStack(rounds)).toSorted((one, other) => one - other);
    const notes = [
      `heard again after ${tookMs[Math.floor(tookMs.length / 2)]} ms (median), ${tookMs.at(-1)} ms (latest)`,
    ];
    return { tried: rounds, failed: tookMs.filter((ms) => ms > mostDownMs).length, notes };
  },
};

const kinds: readonly Kind[] = [
  { id: 'S1 cloud', part: 'the platform', seconds: 300, open: platformAlone, bug: 'early-ack' },
  { id: 'S1 postgresql', part: 'PostgreSQL', seconds: 400, open: postgresOfPlatform, bug: 'early-ack' },
  { id: 'S1 rabbitmq', part: 'RabbitMQ nodes', seconds: 2400, open: rabbitOfPlatform, bug: 'forgetful' },
  { id: 'F06', part: 'PostgreSQL and the platform at once', seconds: 500, open: everything },
];

export const kills: readonly Proof[] = [gateway, ...kinds.map(proofOf), wholeStack];
