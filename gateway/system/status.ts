import { getLog, getStatus, type Status } from '#contract/gateway/status.ts';
import type { LocalMount } from '../access/door.ts';

export type StatusDeps = {
  uplink(): Status['uplink'];
  isClaimed(): boolean;
  cloudUrl?: string | undefined;
  control: { status(): Status['control']; refused(): Status['refused'] };
  recentLog(): string[];
};

export function statusRoutes(mount: LocalMount, { uplink, isClaimed, cloudUrl, control, recentLog }: StatusDeps): void {
  mount(getStatus, () => ({
    uplink: uplink(),
    claimed: isClaimed(),
    ...(cloudUrl && { cloud_url: cloudUrl }),
    control: control.status(),
    refused: control.refused(),
  }));
  mount(getLog, () => ({ lines: recentLog() }));
}
