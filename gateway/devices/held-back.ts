import type { DriverEvents } from './driver.ts';

const mostHeld = 16;

/** Events that come before their device is known wait for it; of many the latest. */
export function heldBack(): { events: DriverEvents; passOn(to: DriverEvents): void } {
  const held: ((to: DriverEvents) => void)[] = [];
  let target: DriverEvents | undefined;
  const tell = (say: (to: DriverEvents) => void): void => {
    if (target) say(target);
    else if (held.push(say) > mostHeld) held.shift();
  };
  return {
    events: {
      onHarvest: (harvest) => tell((to) => to.onHarvest(harvest)),
      onFailedFrame: (frame) => tell((to) => to.onFailedFrame(frame)),
      onLost: (error) => tell((to) => to.onLost(error)),
    },
    passOn(to) {
      target = to;
      for (const say of held) say(to);
    },
  };
}
