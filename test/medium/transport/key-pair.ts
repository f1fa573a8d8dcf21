import { utils } from 'ssh2';

/**
 * A pair of keys as ssh-keygen writes them. One in two hundred of those that ssh2 makes cannot be read, by whatever
 * program: a zero at the start of the key is lost.
 */
export function aKeyPair(passphrase?: string): { private: string; public: string } {
  const encryption = passphrase === undefined ? {} : { passphrase, cipher: 'aes256-ctr', rounds: 8 };
  for (;;) {
    const pair = utils.generateKeyPairSync('ed25519', encryption as never);
    const keys = [utils.parseKey(pair.private, passphrase), utils.parseKey(pair.public)];
    if (!keys.some((key) => key instanceof Error)) return pair;
  }
}
