/** What decides whether a source may be read now. */
export interface SourceUser {
  /** `host:port` of the source; '' for a file of the inbox. */
  host: string;
  /** So many sources of the host may be read at a time, by its own rate. */
  mostOfHost: number;
  /** The gateway's newest runs failed. */
  isFailing: boolean;
}

interface Taken extends SourceUser {
  isSlow: boolean;
}

/** The way to give a slot back. */
export interface TakenSlot {
  giveBack(): void;
  /** The source is slow. @returns whether another source may be read in its place */
  letGo(): boolean;
}

/**
 * Which sources a process may read at the same time. One host leaves room for others, however many of its gateways wait;
 * gateways that fail share a quarter, so that a source that is slow to fail keeps nobody waiting again. Nothing is counted by
 * connector: a source that is waited for takes nothing but its connection.
 */
export class SourceSlots {
  private readonly users = new Set<Taken>();

  /** @param count sources that are read at a time; as many again may be slow. */
  constructor(private readonly count: number) {}

  /** Sources that are being read. */
  get taken(): number {
    return this.users.size;
  }

  /** Whether `take` would give a slot. Who asks has seen to it that there are no more than `count` that are not slow. */
  hasFor({ host, mostOfHost, isFailing }: SourceUser): boolean {
    const most = Math.max(1, Math.min(mostOfHost, this.count - 1));
    return (
      (host === '' || this.countOf((user) => user.host === host) < most) &&
      (!isFailing || this.countOf((user) => user.isFailing) < Math.max(1, Math.floor(this.count / 4)))
    );
  }

  /** @returns null when the user has to wait for one of its kind. */
  take(user: SourceUser): TakenSlot | null {
    if (!this.hasFor(user)) return null;
    const taken: Taken = { ...user, isSlow: false };
    this.users.add(taken);
    return {
      giveBack: () => {
        this.users.delete(taken);
      },
      letGo: () => {
        if (!taken.isSlow && this.countOf(({ isSlow }) => isSlow) < this.count) taken.isSlow = true;
        return taken.isSlow;
      },
    };
  }

  private countOf(matches: (user: Taken) => boolean): number {
    let count = 0;
    for (const user of this.users) if (matches(user)) count += 1;
    return count;
  }
}
