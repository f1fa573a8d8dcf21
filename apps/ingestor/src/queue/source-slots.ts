export interface SourceUser {
  /** `host:port` of the source; '' for a file of the inbox. */
  host: string;
  /** How many sources of the host may be read at the same time, derived from the host's rate. */
  mostOfHost: number;
  /** Whether the gateway's newest runs failed. */
  isFailing: boolean;
}

interface Held extends SourceUser {
  isSlow: boolean;
}

export interface HeldSlot {
  release(): void;
  /** Called when the source is slow. @returns whether another source may be read instead */
  letGo(): boolean;
}

/** One host cannot take every slot. Failing gateways share a quarter of the slots, so that they do not delay others. */
export class SourceSlots {
  private readonly users = new Set<Held>();

  /** @param count how many sources are read at the same time, in addition to at most as many slow sources */
  constructor(private readonly count: number) {}

  get held(): number {
    return this.users.size;
  }

  /** Whether `acquire` would give a slot. The caller limits the sources that are not slow to `count`. */
  hasFor({ host, mostOfHost, isFailing }: SourceUser): boolean {
    const most = Math.max(1, Math.min(mostOfHost, this.count - 1));
    return (
      (host === '' || this.countOf((user) => user.host === host) < most) &&
      (!isFailing || this.countOf((user) => user.isFailing) < Math.max(1, Math.floor(this.count / 4)))
    );
  }

  /** @returns null when the slots for the host, or those for failing gateways, are all in use. */
  acquire(user: SourceUser): HeldSlot | null {
    if (!this.hasFor(user)) return null;
    const held: Held = { ...user, isSlow: false };
    this.users.add(held);
    return {
      release: () => {
        this.users.delete(held);
      },
      letGo: () => {
        if (!held.isSlow && this.countOf(({ isSlow }) => isSlow) < this.count) held.isSlow = true;
        return held.isSlow;
      },
    };
  }

  private countOf(matches: (user: Held) => boolean): number {
    let count = 0;
    for (const user of this.users) if (matches(user)) count += 1;
    return count;
  }
}
