import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { CloudConfig } from '#cloud/config.ts';
import { GatewayConfig } from '#gateway/config.ts';
import { readConfig } from '#lib/config.ts';
import { PriceConfig } from '#price/config.ts';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { readDeploy } from './compose-file.ts';

const folder = join(root, 'deploy/systemd');
const configs = {
  cloud: [CloudConfig, PriceConfig],
  gateway: [GatewayConfig],
  'node@': [CloudConfig, PriceConfig],
  price: [PriceConfig],
};
const programs = Object.keys(configs) as (keyof typeof configs)[];
const run = promisify(execFile);

/** The lines of a unit and of its shared parts, as `Name=value`. */
function linesOf(program: string): string[] {
  const text =
    readDeploy(`systemd/ohmstead-${program}.service`) + readDeploy('systemd/ohmstead-.service.d/hardening.conf');
  return text.split('\n').filter((line) => /^\w+=/.test(line));
}

suite('the systemd units', () => {
  test('there is one for each program, and no other', () => {
    const units = globSync('*.service', { cwd: folder }).toSorted();
    assert.deepEqual(units, programs.map((program) => `ohmstead-${program}.service`).toSorted());
  });

  for (const program of programs) {
    test(`that of the ${program} sets only known settings`, () => {
      const pairs = [
        ...linesOf(program)
          .join('\n')
          .matchAll(/^Environment=(\w+)=(.*)$/gm),
      ];
      const env = Object.fromEntries(pairs.map(([, name, value]) => [name, value!.replace('%i', '1')]));
      const known = configs[program].flatMap((schema) => Object.keys(schema.properties));
      const ofNode = ['PATH', 'NODE_ENV', 'NODE_COMPILE_CACHE'];
      assert.deepEqual(
        Object.keys(env).filter((name) => !known.includes(name) && !ofNode.includes(name)),
        [],
      );
      for (const schema of configs[program]) readConfig(schema, env);
      if (program === 'cloud') assert.equal(env.PUBLIC_MIN_SITES, '5');
    });

    test(`that of the ${program} removes unneeded rights, and restarts it`, () => {
      const lines = linesOf(program);
      for (const line of [
        'User=ohmstead',
        'NoNewPrivileges=yes',
        'CapabilityBoundingSet=',
        'AmbientCapabilities=',
        'ProtectSystem=strict',
        'ProtectHome=yes',
        'PrivateTmp=yes',
        'SystemCallFilter=@system-service',
        'SystemCallFilter=~@privileged @resources',
        'MemoryDenyWriteExecute=no', // else Node does not start
        'Restart=always',
        'StartLimitIntervalSec=0',
        program === 'gateway' ? 'DevicePolicy=closed' : 'PrivateDevices=yes',
      ]) {
        assert.ok(lines.includes(line), line);
      }
      assert.ok(lines.some((line) => /^MemoryMax=\d+[MG]$/.test(line)));
    });
  }

  test('a node has time to drain before it is killed', () => {
    const lines = linesOf('node@');
    const [, drain] = /^Environment=DRAIN_SECONDS=(\d+)$/m.exec(lines.join('\n'))!;
    assert.ok(lines.includes(`TimeoutStopSec=${Number(drain) + 15}`));
  });

  test('the second process of the gateway outlives it', () => {
    const lines = linesOf('gateway');
    for (const line of ['KillMode=process', 'OOMPolicy=continue', 'Environment=REBOOT=exit']) {
      assert.ok(lines.includes(line), line);
    }
  });

  test('the gateway may use an adapter that is first plugged in while it runs', () => {
    const lines = linesOf('gateway');
    for (const [driver, tty] of [
      ['usbserial', 'ttyUSB'],
      ['cdc_acm', 'ttyACM'],
    ]) {
      assert.ok(lines.includes(`DeviceAllow=char-${tty} rw`), tty);
      const unit = `modprobe@${driver}.service`;
      for (const name of ['Wants', 'After']) {
        assert.ok(
          lines.some((line) => line.startsWith(`${name}=`) && line.split(/[= ]/).includes(unit)),
          `${name}=${unit}`,
        );
      }
    }
  });

  for (const program of programs) {
    test(`systemd accepts that of the ${program}, with low exposure`, {
      skip: systemdMissing(),
    }, async (t) => {
      const copy = temporaryFolder(t);
      await cp(folder, copy, { recursive: true });
      const unit = join(copy, `ohmstead-${program.replace('@', '@1')}.service`);
      const text = await readFile(join(copy, `ohmstead-${program}.service`), 'utf8');
      await writeFile(unit, text.replace(/^(ExecStart=)\S+/m, '$1/usr/bin/env')); // an existing one
      const env = { ...process.env, SYSTEMD_UNIT_PATH: `${copy}:` };
      const verified = await run('systemd-analyze', ['verify', unit], { env });
      assert.equal(verified.stderr, '');
      const { stdout } = await run('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit], { env });
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)![1]);
      assert.ok(exposure < 2, `${exposure} of 10`);
    });
  }
});

/** Reason why systemd is unavailable, or false. It need not be running. */
function systemdMissing(): string | false {
  const { error, stdout } = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
  const version = Number(/^systemd (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  if (!error && version >= 250) return false;
  return 'Units are checked by systemd-analyze of systemd 250 or later, which is not here; their lines were.';
}
