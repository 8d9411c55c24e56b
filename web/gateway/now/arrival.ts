import type { Status } from '#contract/gateway/status.ts';

const onTheirWay = 100; // a second or so of a house with many devices

/** Whether what was measured has arrived, waits, or has nowhere to go. */
export function arrivalOf({
  connected,
  broker,
  waiting,
}: Pick<Status['uplink'], 'connected' | 'broker' | 'waiting'>): 'sent' | 'waiting' | 'none' {
  const isAway = broker !== undefined && !connected;
  if (waiting > (isAway ? 0 : onTheirWay)) return 'waiting';
  return broker ? 'sent' : 'none';
}
