import { type Answer, askPlatform } from './answer.ts';
import { type Finding, findingsAbout } from './finding.ts';
import type { Scene } from './scene.ts';

export async function checkPlatform(scene: Scene): Promise<Finding[]> {
  const { PUBLIC_URL } = scene.cloud;
  const { platformFrom, signedIn } = scene;
  const answer = await scene.platform;
  const findings = [told(answer, scene.version, platformFrom)];
  if (signedIn) findings.push(told(await signedIn, scene.version, 'sign-in'));
  if (PUBLIC_URL && platformFrom === 'this machine' && answer.kind === 'ours')
    findings.push(...(await throughPublicUrl(PUBLIC_URL)));
  return findings;
}

/** What to do when the platform is not at its address. */
const corrections = {
  CLOUD_URL: 'correct CLOUD_URL',
  'sign-in': 'sign in to another one: ohmstead login <url>',
  'this machine': 'set CLOUD_PORT to another port',
} as const;

function told(answer: Answer, version: string, from: Scene['platformFrom']): Finding {
  const found = findingsAbout('platform');
  const { url } = answer;
  if (answer.kind === 'none') {
    const says = `No platform answers at ${url}: ${answer.why}.`;
    if (from === 'this machine')
      return found.warning(says, 'Start one with ohmstead cloud, or everything with ohmstead up.');
    return found.problem(says, `Check that it runs and that this machine reaches it, or ${corrections[from]}.`);
  }
  if (answer.kind === 'other') {
    const next = corrections[from].replace(/^./, (letter) => letter.toUpperCase());
    return found.problem(`The program at ${url} is not Ohmstead.`, `${next}.`);
  }
  const { reasons } = answer;
  if (reasons && reasons.length > 0) {
    return found.problem(`The platform at ${url} is not ready: ${reasons.join(' ')}`, 'Look at its log.');
  }
  const state = reasons ? 'is ready' : 'answers';
  if (answer.version !== version) {
    const says = `The platform at ${url} ${state}. It is version ${answer.version}, this program ${version}.`;
    return found.warning(says, 'Bring both to the same version, and restart the platform.');
  }
  return found.ok(`The platform at ${url} ${state}, version ${version}.`);
}

/** Not every network lets its machines call themselves by their public name, so this is no more than a warning. */
async function throughPublicUrl(url: string): Promise<Finding[]> {
  const found = findingsAbout('platform');
  const answer = await askPlatform(url);
  if (answer.kind === 'ours') return [found.ok(`It is reached at its public address ${url} too.`)];
  const why = answer.kind === 'none' ? answer.why : 'what answers is not Ohmstead';
  return [found.warning(`It is not reached at its public address ${url}: ${why}.`, 'Try that address from outside.')];
}
