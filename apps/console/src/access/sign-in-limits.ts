import { type Counted, Counts, networkOf, subnetOf } from '@passerelle/limits';

/** Failed attempts per minute: from one network (IPv4 address or 64 bits of IPv6), and per name and subnet. */
const MOST_OF_NETWORK = 30;
const MOST_FOR_NAME_FROM_SUBNET = 10;
/** More failed attempts for one name than this pause the name for unknown networks. */
const MOST_FOR_NAME = 20;
const PAUSE_MS = 15 * 60_000;

export interface RefusedAttempt {
  retrySeconds: number;
  /** Whether the name is paused for networks from which its operator has never signed in. */
  isPaused: boolean;
}

export interface KnownNetworks {
  isKnownNetwork(name: string, network: string): Promise<boolean>;
}

/** Counts failed attempts in this process. A flood pauses a name only for networks its operator has not used. */
export class SignInLimits {
  private readonly networks: Counts;
  private readonly names: Counts;
  private readonly namesFromSubnets: Counts;

  /** @param monotonicMs a clock that never goes back */
  constructor(
    private readonly known: KnownNetworks,
    monotonicMs: () => number,
  ) {
    this.networks = new Counts('sign-in-network', null, monotonicMs);
    this.namesFromSubnets = new Counts('sign-in-name-from-subnet', null, monotonicMs);
    this.names = new Counts('sign-in-name', null, monotonicMs, PAUSE_MS);
  }

  /** Counts an attempt through a provider. @returns the seconds to wait after too many attempts, else null. */
  noteNetwork(address: string): number | null {
    const { count, resetSeconds } = this.networks.addHere(networkOf(address));
    return count > MOST_OF_NETWORK ? resetSeconds : null;
  }

  /** Counts an attempt as failed, until `forgive` takes it back. @returns null when the password may be compared. */
  async note(address: string, name: string): Promise<RefusedAttempt | null> {
    const subnet = subnetOf(address);
    let isKnown: Promise<boolean> | undefined;
    const isFromKnown = (): Promise<boolean> =>
      (isKnown ??= subnet === null ? Promise.resolve(false) : this.known.isKnownNetwork(name, subnet));
    // After a flood has filled the tables, later names share one counter, which must not refuse known networks.
    const isOver = async ({ count, isShared }: Counted, most: number): Promise<boolean> =>
      count > most && !(isShared === true && (await isFromKnown()));

    const ofNetwork = this.networks.addHere(networkOf(address));
    const fromSubnet = this.namesFromSubnets.addHere(fromSubnetKey(address, name));
    // Attempts refused here do not pause the name.
    for (const [counted, most] of [
      [ofNetwork, MOST_OF_NETWORK],
      [fromSubnet, MOST_FOR_NAME_FROM_SUBNET],
    ] as const) {
      if (await isOver(counted, most)) return { retrySeconds: counted.resetSeconds, isPaused: false };
    }
    const forName = this.names.addHere(name.toLowerCase());
    if (forName.count <= MOST_FOR_NAME || (await isFromKnown())) return null;
    return { retrySeconds: forName.resetSeconds, isPaused: true };
  }

  forgive(address: string, name: string): void {
    this.forgiveNetwork(address);
    this.namesFromSubnets.undoHere(fromSubnetKey(address, name));
    this.names.undoHere(name.toLowerCase());
  }

  /** Takes back a successful attempt through a provider. */
  forgiveNetwork(address: string): void {
    this.networks.undoHere(networkOf(address));
  }
}

function fromSubnetKey(address: string, name: string): string {
  return `${subnetOf(address) ?? ''} ${name.toLowerCase()}`;
}
