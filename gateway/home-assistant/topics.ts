import type { DerKind } from '#contract/gateway/reading.ts';
import { topicId } from '#contract/topics.ts';

export type HomeTopics = ReturnType<typeof homeTopics>;

/** Where Home Assistant is told what there is, how it is, and what it measures. */
export function homeTopics(serial: string, prefix: string) {
  const gateway = topicId(serial);
  const base = `ohmstead/${gateway}`;
  return {
    /** where Home Assistant says that it has started */
    birth: `${prefix}/status`,
    gatewayConfig: `${prefix}/device/${gateway}/config`,
    gatewayStatus: `${base}/status`,
    gatewayState: `${base}/state`,
    deviceConfig: (sn: string): string => `${prefix}/device/${gateway}_${topicId(sn)}/config`,
    deviceStatus: (sn: string): string => `${base}/devices/${topicId(sn)}/status`,
    derState: (sn: string, kind: DerKind): string => `${base}/devices/${topicId(sn)}/${kind}`,
  };
}
