import { announcedHost, announcedSerial } from '#contract/gateway/announcement.ts';
import { type AnnouncedService, findHttpServices } from '#lib/mdns.ts';
import { UsageError } from '../line/command.ts';
import { report } from '../line/report.ts';
import { printable, tableOf } from '../terminal/output.ts';

const defaultSeconds = 3;

const find = report('gateway find', {
  summary: 'Find gateways on the local network (mDNS)',
  options: { seconds: { value: 'NUMBER', help: `how long to search. Default ${defaultSeconds}` } },
  examples: ['gateway find', 'gateway find --seconds 10 --json'],
  async run({ options }, shell) {
    const seconds = Number(options.seconds ?? defaultSeconds);
    if (!(seconds > 0 && seconds <= 600)) throw new UsageError('--seconds must be more than 0 and at most 600.');
    const found = (await findHttpServices(seconds * 1000, shell.untilInterrupted())).flatMap(gatewayOf);
    const nothing =
      'No gateway found on this network. For one on another network, give its address: --gateway http://<address>:8081';
    const text = found.length === 0 ? nothing : tableOf(found, ['gateway_serial', 'name', 'url', 'host']);
    return { result: found, text };
  },
});

export const findCommands = [find];

export type FoundGateway = { gateway_serial: string; name: string; url: string; host: string };

/** Reads the announcement of a gateway; other HTTP services have none. */
function gatewayOf(service: AnnouncedService): FoundGateway[] {
  const { name, host, port, txt } = service;
  const serial = announcedSerial(txt);
  const url = `http://${announcedHost(service)}:${port}`;
  if (serial === undefined || !URL.canParse(url)) return [];
  return [{ gateway_serial: printable(serial), name: printable(name), url, host: printable(host) }];
}
