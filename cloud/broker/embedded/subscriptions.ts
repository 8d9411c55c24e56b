import { covers, levelsOf } from '../topic-filter.ts';

type Packet = { topic: string };
type Deliver = (packet: Packet, done: () => void) => void;

type Subscription = { filter: string; deliver: Deliver };

/** Subscriptions whose filters begin with the same levels. */
type Branch = { held: Subscription[]; byLevel: Map<string, Branch> | undefined };

const newBranch = (): Branch => ({ held: [], byLevel: undefined });

const maxHeld = 8; // comparing so few filters takes as long as the maps of a tree, which cost 200 bytes per level

/**
 * Stores the subscriptions of aedes, as its option `mq`. A tree of filters by level, whose branches begin when more than
 * eight filters share their first levels: the five of a gateway take some 500 bytes, and 4 kB with a map for each level.
 */
export class Subscriptions {
  readonly #root = newBranch();
  #isClosed = false;

  on(filter: string, deliver: Deliver, done?: () => void): this {
    add(this.#root, { filter, deliver }, filter.split('/'));
    if (done) setImmediate(done);
    return this;
  }

  removeListener(filter: string, deliver: Deliver, done?: () => void): this {
    remove(this.#root, { filter, deliver }, filter.split('/'));
    if (done) setImmediate(done);
    return this;
  }

  /** Delivers a packet to all subscribers, then calls back. */
  emit(packet: Packet, done: (error?: Error) => void = () => {}): this {
    if (this.#isClosed) {
      done(new Error('The broker is closed.'));
      return this;
    }
    const found: Deliver[] = [];
    find(this.#root, packet.topic.split('/'), 0, found);
    let left = found.length;
    if (left === 0) done();
    for (const deliver of found) deliver(packet, () => --left === 0 && done());
    return this;
  }

  close(done: () => void): this {
    this.#isClosed = true;
    setImmediate(done);
    return this;
  }
}

function add(root: Branch, subscription: Subscription, levels: readonly string[]): void {
  let branch = root;
  let depth = 0;
  for (; branch.byLevel && depth < levels.length; depth++) branch = enter(branch.byLevel, levels[depth]!);
  branch.held = [...branch.held, subscription]; // exactly as long as needed, unlike after a push
  if (!branch.byLevel && branch.held.length > maxHeld) divide(branch, depth);
}

function enter(byLevel: Map<string, Branch>, level: string): Branch {
  const known = byLevel.get(level);
  if (known) return known;
  const branch = newBranch();
  byLevel.set(level, branch);
  return branch;
}

/** Moves subscriptions with further levels into branches. */
function divide(branch: Branch, depth: number): void {
  const all = branch.held.map((subscription) => ({ subscription, levels: subscription.filter.split('/') }));
  if (all.every(({ levels }) => levels.length === depth)) return;
  branch.byLevel = new Map();
  branch.held = [];
  for (const { subscription, levels } of all) {
    const next = levels[depth];
    (next === undefined ? branch : enter(branch.byLevel, next)).held.push(subscription);
  }
  for (const next of branch.byLevel.values()) if (next.held.length > maxHeld) divide(next, depth + 1);
}

function remove(branch: Branch, given: Subscription, levels: readonly string[], depth = 0): void {
  const { byLevel } = branch;
  const level = levels[depth];
  if (!byLevel || level === undefined) {
    branch.held = branch.held.filter(({ filter, deliver }) => filter !== given.filter || deliver !== given.deliver);
    return;
  }
  const next = byLevel.get(level);
  if (!next) return;
  remove(next, given, levels, depth + 1);
  if (next.held.length > 0 || next.byLevel) return;
  byLevel.delete(level);
  if (byLevel.size === 0) branch.byLevel = undefined;
}

function find(branch: Branch, topic: readonly string[], depth: number, found: Deliver[]): void {
  let compared = '';
  let isMatch = false;
  for (const { filter, deliver } of branch.held) {
    if (filter !== compared) isMatch = covers(levelsOf(filter), topic);
    compared = filter; // many subscribers of one filter follow one another
    if (isMatch) found.push(deliver);
  }
  if (!branch.byLevel) return;
  const level = topic[depth];
  for (const name of level === undefined ? ['#'] : [level, '+', '#']) {
    const next = branch.byLevel.get(name);
    if (next) find(next, topic, depth + 1, found);
  }
}
