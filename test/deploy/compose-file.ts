import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../source-files.ts';

export type Service = {
  image: string;
  profiles: string[];
  command?: string[];
  build?: { dockerfile: string };
  user: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  restart?: string;
  mem_limit?: string;
  stop_grace_period?: string;
  logging?: { options: Record<string, string> };
  healthcheck?: { test: string[] };
  environment?: Record<string, string | number>;
  secrets?: string[];
  ports?: string[];
  volumes?: string[];
  networks?: Record<string, { ipv4_address: string }> | string[];
};

export type Compose = {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  secrets: Record<string, { file: string }>;
  networks: { platform: { ipam: { config: [{ subnet: string; ip_range?: string }] } } };
};

export const readDeploy = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8');

/** deploy/compose.yaml as compose reads it with this `.env`. */
export function readCompose(env: Record<string, string> = {}): Compose {
  const text = readDeploy('compose.yaml').replaceAll(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, fallback: string) => env[name] ?? fallback,
  );
  return parse(text, { merge: true }) as Compose;
}

export const addressOf = ({ networks }: Service): string | undefined =>
  Array.isArray(networks) ? undefined : networks?.platform?.ipv4_address;
