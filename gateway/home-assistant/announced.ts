import { join } from 'node:path';
import type { DerKind } from '#contract/gateway/reading.ts';
import type { FieldName } from '#contract/telemetry.ts';
import { readJsonOrWarn, removeFile, writeJson } from '#lib/atomic-file.ts';
import type { Logger } from '#lib/log.ts';
import { parseBrokerAddress } from '../links/mqtt/broker-address.ts';

/** A broker, and the discovery prefix of Home Assistant on it. */
export type Home = { url: string; prefix: string; ca?: string | undefined };

export type AnnouncedFields = Partial<Record<DerKind, FieldName[]>>;

export type Announcement = { home: Home; devices: Record<string, AnnouncedFields> };

export const brokerOf = ({ url }: Home): string => parseBrokerAddress(url).shown;

const isSameHome = (one: Home | undefined, other: Home | undefined): boolean =>
  one !== undefined && other !== undefined && brokerOf(one) === brokerOf(other) && one.prefix === other.prefix;

export type Announcements = Awaited<ReturnType<typeof openAnnounced>>;

/** Stores the announcements in the data folder, so that they can be removed after a restart. */
export async function openAnnounced(dataDir: string, home: Home | undefined, log: Logger) {
  const path = join(dataDir, 'home-assistant.json');
  const formerPath = join(dataDir, 'home-assistant-former.json');
  const read = (file: string): Promise<Announcement | undefined> =>
    readJsonOrWarn(file, 'the stored Home Assistant announcements were damaged and set aside', log);

  const kept = await read(path);
  const isFormer = kept !== undefined && !isSameHome(kept.home, home);
  if (isFormer) {
    await writeJson(formerPath, kept);
    await removeFile(path);
  }
  let former = isFormer ? kept : await read(formerPath);
  if (isSameHome(former?.home, home)) {
    former = undefined; // the former home is the current one again
    await removeFile(formerPath);
  }
  const devices = new Map(Object.entries(kept?.devices ?? {}));
  let saved = isFormer || !kept ? '' : JSON.stringify(kept);

  return {
    former,
    forgetFormer: (): Promise<void> => removeFile(formerPath),
    serials: (): string[] => [...devices.keys()],
    fieldsOf: (sn: string): AnnouncedFields => devices.get(sn) ?? {},
    learn(sn: string, kind: DerKind, fields: readonly FieldName[]): void {
      const known = devices.get(sn)?.[kind] ?? [];
      const added = fields.filter((field) => !known.includes(field));
      if (added.length > 0) devices.set(sn, { ...devices.get(sn), [kind]: [...known, ...added] });
    },
    forget: (sn: string): boolean => devices.delete(sn),
    async save(): Promise<void> {
      if (!home) return;
      const announcement: Announcement = { home, devices: Object.fromEntries(devices) };
      const text = JSON.stringify(announcement);
      if (text === saved) return;
      await writeJson(path, announcement);
      saved = text;
    },
  };
}
