import { utils } from 'ssh2';

/**
 * A key pair as ssh-keygen writes it. One in two hundred keys of ssh2 is unreadable for every program, because ssh2
 * loses a zero at the start of the key. The loop skips these keys.
 */
export function aKeyPair(passphrase?: string): { private: string; public: string } {
  const encryption = passphrase === undefined ? {} : { passphrase, cipher: 'aes256-ctr', rounds: 8 };
  for (;;) {
    const pair = utils.generateKeyPairSync('ed25519', encryption as never);
    const keys = [utils.parseKey(pair.private, passphrase), utils.parseKey(pair.public)];
    if (!keys.some((key) => key instanceof Error)) return pair;
  }
}
