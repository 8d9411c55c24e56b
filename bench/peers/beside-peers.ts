import { compared, type Finding, type Goal, measured } from '../measure/finding.ts';

export type PeerSamples = { name: string; values: readonly number[] };

type Ours = { what: string; part?: string; unit: string; values: readonly number[]; goal?: Goal | undefined };

/** Returns our figure against the first peer, with the goal, and against each of the others. */
export function besidePeers({ what, part, unit, values, goal }: Ours, peers: readonly PeerSamples[]): Finding[] {
  if (peers.length === 0) return [{ ...measured(what, unit, values, goal), part }];
  return peers.map((peer, index) => {
    const named = index === 0 ? part : [part, `against ${peer.name}`].filter(Boolean).join(', ');
    return { ...compared(what, unit, values, peer, index === 0 ? goal : undefined), part: named };
  });
}
