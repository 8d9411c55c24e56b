import type { DoctorContext, PlatformOrigin } from './context.ts';
import { type Outcome, ok, problem, warning } from './finding.ts';
import { probePlatform, type ServiceProbe } from './probe.ts';

export async function checkPlatform(scene: DoctorContext): Promise<Outcome[]> {
  const { PUBLIC_URL } = scene.cloud;
  const { platformFrom, signedIn } = scene;
  const answer = await scene.platform;
  const findings = [describePlatform(answer, scene.version, platformFrom)];
  if (signedIn) findings.push(describePlatform(await signedIn, scene.version, 'sign-in'));
  if (PUBLIC_URL && platformFrom === 'this machine' && answer.kind === 'ours')
    findings.push(await throughPublicUrl(PUBLIC_URL));
  return findings;
}

const corrections: Record<PlatformOrigin, string> = {
  CLOUD_URL: 'correct CLOUD_URL',
  'sign-in': 'sign in to another one: ohmstead login <url>',
  'this machine': 'set CLOUD_PORT to another port',
};

function describePlatform(answer: ServiceProbe, version: string, from: PlatformOrigin): Outcome {
  const { url } = answer;
  if (answer.kind === 'none') {
    const says = `Cannot reach a platform at ${url}: ${answer.why}.`;
    if (from === 'this machine') return warning(says, 'Start one with ohmstead cloud, or everything with ohmstead up.');
    return problem(says, `Check that it runs and that this machine reaches it, or ${corrections[from]}.`);
  }
  if (answer.kind === 'other') {
    const next = corrections[from].replace(/^./, (letter) => letter.toUpperCase());
    return problem(`The program at ${url} is not Ohmstead.`, `${next}.`);
  }
  const { reasons } = answer;
  if (reasons && reasons.length > 0) {
    return problem(`The platform at ${url} is not ready: ${reasons.join(' ')}`, 'Check its log.');
  }
  const state = reasons ? 'is ready' : 'answers';
  if (answer.version !== version) {
    const says = `The platform at ${url} ${state}. It is version ${answer.version}, this program ${version}.`;
    return warning(says, 'Update both to the same version and restart the platform.');
  }
  return ok(`The platform at ${url} ${state}, version ${version}.`);
}

/** Checks the public address. A failure is only a warning, since some networks do not route a machine back to itself. */
async function throughPublicUrl(url: string): Promise<Outcome> {
  const answer = await probePlatform(url);
  if (answer.kind === 'ours') return ok(`It also answers at its public address ${url}.`);
  const why = answer.kind === 'none' ? answer.why : 'another program answers';
  return warning(`It does not answer at its public address ${url}: ${why}.`, 'Try that address from outside.');
}
