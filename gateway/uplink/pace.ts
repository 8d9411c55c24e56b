export type PaceLimits = {
  /** samples of the backlog a second */
  most: number;
  least: number;
  /** live samples that take longer slow the backlog down, ms */
  patienceMs: number;
};

export const defaultPace: PaceLimits = { most: 1800, least: 50, patienceMs: 500 };

const stepMs = 100;

/** How fast the backlog goes: less when live samples take longer, slowly more when they do not. */
export class Pace {
  private readonly limits: PaceLimits;
  private rate: number;
  private allowance = 0;
  private filledAt: number;
  private steppedAt: number;

  constructor(limits: PaceLimits, now: number) {
    this.limits = limits;
    this.rate = limits.most / 4;
    this.filledAt = now;
    this.steppedAt = now;
  }

  /** How many may go now. `delayMs` is what live samples take. */
  allow(now: number, delayMs: number): number {
    const { most, least, patienceMs } = this.limits;
    while (now - this.steppedAt >= stepMs) {
      this.steppedAt = Math.max(this.steppedAt + stepMs, now - 1000);
      this.rate = delayMs > patienceMs ? Math.max(least, this.rate * 0.8) : Math.min(most, this.rate + most / 40);
    }
    this.allowance = Math.min(this.allowance + ((now - this.filledAt) * this.rate) / 1000, this.rate / 4);
    this.filledAt = now;
    return Math.floor(this.allowance);
  }

  spend(count: number): void {
    this.allowance -= count;
  }
}
