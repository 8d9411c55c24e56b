import { getLog, getStatus, type Status } from '#contract/gateway/status.ts';
import type { LocalMount } from '../access/local-context.ts';

export type StatusDeps = {
  uplink(): Status['uplink'];
  control(): Status['control'];
  recentLog(): string[];
};

export function statusRoutes(mount: LocalMount, { uplink, control, recentLog }: StatusDeps): void {
  mount(getStatus, () => ({ uplink: uplink(), control: control() }));
  mount(getLog, () => ({ lines: recentLog() }));
}
