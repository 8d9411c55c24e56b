import { type Answer, askPlatform } from './answer.ts';
import { type Finding, findingsAbout } from './finding.ts';
import type { Scene } from './scene.ts';

export async function checkPlatform(scene: Scene): Promise<Finding[]> {
  const { CLOUD_URL } = scene.gateway;
  const { PUBLIC_URL } = scene.cloud;
  const answer = await scene.platform;
  const isOwn = CLOUD_URL === undefined;
  const findings = [told(answer, scene.version, isOwn)];
  if (PUBLIC_URL && isOwn && answer.kind === 'ours') findings.push(...(await throughPublicUrl(PUBLIC_URL)));
  return findings;
}

function told(answer: Answer, version: string, isOwn: boolean): Finding {
  const found = findingsAbout('platform');
  const { url } = answer;
  if (answer.kind === 'none') {
    const says = `No platform answers at ${url}: ${answer.why}.`;
    if (isOwn) return found.warning(says, 'Start one with ohmstead cloud, or everything with ohmstead up.');
    return found.problem(says, 'Look whether it runs and this machine reaches it, or correct CLOUD_URL.');
  }
  if (answer.kind === 'other') {
    const next = isOwn ? 'Set CLOUD_PORT to another port.' : 'Correct CLOUD_URL.';
    return found.problem(`What answers at ${url} is not Ohmstead.`, next);
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
