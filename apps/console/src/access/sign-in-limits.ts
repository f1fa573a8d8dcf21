import { Injectable } from '@nestjs/common';
import { Counts, networkOf } from '@passerelle/limits';

/** In a minute: of one network, an IPv4 address or 64 bits of IPv6, and for one name from everywhere. */
const ATTEMPTS_OF_NETWORK = 30;
const ATTEMPTS_FOR_NAME = 10;

/** Counts attempts to sign in, whether they succeed or not. */
@Injectable()
export class SignInLimits {
  private readonly networks = new Counts('sign-in-network', null, () => performance.now());
  private readonly names = new Counts('sign-in-name', null, () => performance.now());

  /** Counts one through a provider, which counts by name itself. @returns as `note`. */
  noteNetwork(address: string): number | null {
    const { count, resetSeconds } = this.networks.addHere(networkOf(address));
    return count > ATTEMPTS_OF_NETWORK ? resetSeconds : null;
  }

  /** Counts one. @returns after how many seconds it may be tried again where there were too many, else null. */
  note(address: string, name: string): number | null {
    const wait = this.noteNetwork(address);
    const forName = this.names.addHere(name.toLowerCase());
    if (wait !== null) return wait;
    return forName.count > ATTEMPTS_FOR_NAME ? forName.resetSeconds : null;
  }
}
