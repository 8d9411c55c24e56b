import { getLog, getStatus, type Status } from '#contract/gateway/status.ts';
import type { LocalMount } from '../access/local-context.ts';

export type StatusDeps = {
  uplink(): Status['uplink'];
  control: { status(): Status['control']; refused(): Status['refused'] };
  recentLog(): string[];
};

export function statusRoutes(mount: LocalMount, { uplink, control, recentLog }: StatusDeps): void {
  mount(getStatus, () => ({ uplink: uplink(), control: control.status(), refused: control.refused() }));
  mount(getLog, () => ({ lines: recentLog() }));
}
