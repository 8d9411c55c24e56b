import type { DerKind } from '#contract/gateway/reading.ts';
import { topicId } from '#contract/topics.ts';

export type HomeTopics = ReturnType<typeof homeTopics>;

export function homeTopics(serial: string, prefix: string) {
  const gateway = topicId(serial);
  const base = `ohmstead/${gateway}`;
  return {
    /** where Home Assistant announces its start */
    birth: `${prefix}/status`,
    gatewayConfig: `${prefix}/device/${gateway}/config`,
    gatewayStatus: `${base}/status`,
    gatewayState: `${base}/state`,
    deviceConfig: (sn: string): string => `${prefix}/device/${gateway}_${topicId(sn)}/config`,
    deviceStatus: (sn: string): string => `${base}/devices/${topicId(sn)}/status`,
    derState: (sn: string, kind: DerKind): string => `${base}/devices/${topicId(sn)}/${kind}`,
  };
}
