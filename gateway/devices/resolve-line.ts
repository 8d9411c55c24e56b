import { fieldProblem, Problem } from '#contract/problem.ts';
import { hostPort } from '../links/host-port.ts';
import { LinkError } from '../links/link-error.ts';
import { tcpEndpoint } from '../links/serial-line.ts';
import { checkSerialPath } from './serial-path.ts';

/** A serial line as it is; of an adapter in the network with the address in place of its name. */
export async function resolveLine(line: string, resolve: (host: string) => Promise<string>): Promise<string> {
  const adapter = adapterOf(line);
  if (!adapter) {
    await checkSerialPath(line);
    return line;
  }
  return `tcp://${hostPort(await resolve(adapter.host), adapter.port)}`;
}

/** The same for a device that was added with this line: what is wrong with it now is nothing that somebody sent. */
export async function resolveKeptLine(line: string, resolve: (host: string) => Promise<string>): Promise<string> {
  try {
    return await resolveLine(line, resolve);
  } catch (error) {
    if (!(error instanceof Problem && error.details.errors)) throw error;
    const sentence = `${line} leads to no serial line now: plug the adapter in, or add the device anew with the path it has.`;
    throw new LinkError(sentence, { cause: error });
  }
}

function adapterOf(line: string): ReturnType<typeof tcpEndpoint> {
  try {
    return tcpEndpoint(line);
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    throw fieldProblem('invalid_request', 'body.serial_port', error.message);
  }
}
