/** What runs share slots by. */
export interface SlotUser {
  /** Code of the connector. */
  connector: string;
  /** `host:port` of the source; '' for a file of the inbox. */
  host: string;
  /** The gateway's newest runs failed. */
  isFailing: boolean;
}

/**
 * Who may take one of a process's slots. One host and one connector leave a slot to others, however many of their
 * gateways wait; gateways that fail share a quarter, so that a source that is slow to fail keeps nobody waiting again.
 */
export class Slots {
  private readonly users = new Set<SlotUser>();

  /** @param count how many runs the process carries out at the same time. */
  constructor(private readonly count: number) {}

  /** Whether `take` would give a slot. */
  hasFor({ connector, host, isFailing }: SlotUser): boolean {
    return (
      !this.isFull(connector) &&
      (host === '' || this.countOf((user) => user.host === host) < this.mostOfAKind) &&
      (!isFailing || this.countOf((user) => user.isFailing) < Math.max(1, Math.floor(this.count / 4)))
    );
  }

  /** Whether a connector has all the slots that it may have. */
  isFull(connector: string): boolean {
    return this.countOf((user) => user.connector === connector) >= this.mostOfAKind;
  }

  /** @returns the way to give the slot back; null when the user has to wait for one of its kind. */
  take(user: SlotUser): (() => void) | null {
    if (!this.hasFor(user)) return null;
    const taken = { ...user };
    this.users.add(taken);
    return () => {
      this.users.delete(taken);
    };
  }

  private get mostOfAKind(): number {
    return Math.max(1, this.count - 1);
  }

  private countOf(matches: (user: SlotUser) => boolean): number {
    let count = 0;
    for (const user of this.users) if (matches(user)) count += 1;
    return count;
  }
}
