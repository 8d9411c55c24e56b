/** Pause between two attempts at a device. */
export const retryMs = 1000;

const mostQuickRetries = 60;
const slowRetryMs = 10 * retryMs;

/** Pause after so many failed releases; after many it is longer, as memory wears out. */
export const releaseRetryMs = (failures: number): number => (failures < mostQuickRetries ? retryMs : slowRetryMs);

/** For the log, when it fails the first time. */
export const notReleased = 'the device could not be released; it is tried on and on';
