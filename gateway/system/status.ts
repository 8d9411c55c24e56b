import { getLog, getStatus, type Status } from '#contract/gateway/status.ts';
import type { LocalMount } from '../access/door.ts';

export type StatusDeps = {
  uplink(): Status['uplink'];
  isClaimed(): boolean;
  control: { status(): Status['control']; refused(): Status['refused'] };
  recentLog(): string[];
};

export function statusRoutes(mount: LocalMount, { uplink, isClaimed, control, recentLog }: StatusDeps): void {
  mount(getStatus, () => ({
    uplink: uplink(),
    claimed: isClaimed(),
    control: control.status(),
    refused: control.refused(),
  }));
  mount(getLog, () => ({ lines: recentLog() }));
}
