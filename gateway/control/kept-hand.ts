import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '#lib/log.ts';
import type { Facts } from '../profiles/control/control-profile.ts';
import type { ControlProfile } from '../profiles/control/index.ts';
import type { Hand } from './hand.ts';
import type { OpenHand } from './open-hand.ts';
import type { Place } from './place.ts';

const openIdleMs = 30_000; // whoever has asked for the limits may command soon

export type KeptHandDeps = { openHand: OpenHand; log: Logger };

/** Where a device is, and what a person has set of it. */
type Known = { place: Place; known: Facts };

/** The hand on a device, open while it is needed and a little longer, and what the device has told it of itself. */
export class KeptHand {
  private readonly control: ControlProfile;
  private at: Place;
  private known: Facts;
  private readonly deps: KeptHandDeps;
  private hand: Promise<Hand> | undefined;
  /** what the device has told of itself before anything was written */
  private learned: Promise<Facts> | undefined;
  private idling: NodeJS.Timeout | undefined;

  constructor(control: ControlProfile, { place, known }: Known, deps: KeptHandDeps) {
    this.control = control;
    this.at = place;
    this.known = known;
    this.deps = deps;
  }

  get place(): Place {
    return this.at;
  }

  /** It may have moved since, and more may be known of it. */
  meet({ place, known }: Known): void {
    this.moveTo(place);
    this.known = known;
  }

  moveTo(place: Place): void {
    if (!isDeepStrictEqual(place, this.at)) this.drop();
    this.at = place;
  }

  async open(): Promise<Hand> {
    this.hand ??= this.deps.openHand(this.control, this.at);
    try {
      return await this.hand;
    } catch (error) {
      this.hand = undefined;
      throw error;
    }
  }

  /** What the device tells of itself, asked the first time; what a person has set goes before. */
  async facts(): Promise<Facts> {
    const hand = await this.open();
    this.learned ??= hand.learn();
    const { learned } = this;
    try {
      return { ...(await learned), ...this.known };
    } catch (error) {
      if (this.learned === learned) this.learned = undefined;
      throw error;
    }
  }

  /** What the device told before it was controlled, which it cannot be asked for now. */
  remember(facts: Facts): void {
    this.learned = Promise.resolve(facts);
  }

  /** What was remembered of the device as it is without control, with what a person has set where nothing was. */
  completed(remembered: Facts): Facts {
    return { ...this.known, ...remembered };
  }

  /** The device is asked anew the next time: its settings may have changed. */
  forget(): void {
    this.learned = undefined;
  }

  /** Unless it is needed again until then. */
  closeLater(isNeeded: () => boolean): void {
    clearTimeout(this.idling);
    this.idling = setTimeout(() => {
      if (isNeeded()) return;
      this.drop();
      this.forget();
    }, openIdleMs).unref();
  }

  /** Gives the connection up; whoever needs it next opens another one. */
  drop(): void {
    const { hand } = this;
    this.hand = undefined;
    hand?.then((open) => open.close()).catch((error) => this.deps.log.warn({ err: error }, 'a link was not closed'));
  }

  close(): void {
    clearTimeout(this.idling);
    this.drop();
  }
}
