import dns from 'node:dns';
import { isIPv6 } from 'node:net';
import { isPublicAddress, lookupPublicAddress, PrivateAddress } from './address-guard';

type Resolver = (
  name: string,
  options: dns.LookupAllOptions,
  callback: (error: null, addresses: dns.LookupAddress[]) => void,
) => void;

describe('isPublicAddress', () => {
  it.each([
    '8.8.8.8',
    '100.63.255.255',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.1.1',
    '2606:4700::1111',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
  ])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a9fe:a9fe',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::',
    '64:ff9b:1::808:808',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
    '127.1',
  ])('rejects %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('lookupPublicAddress', () => {
  it.each([true, false])('refuses a name with a private address, for each form of the query (all: %s)', async (all) => {
    const error = await new Promise((resolve) => {
      lookupPublicAddress('localhost', { all }, resolve);
    });
    expect(error).toBeInstanceOf(PrivateAddress);
  });
});

describe('a malicious host name', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Makes the resolver return these answers, one after the other. */
  function resolving(...answers: string[][]): jest.SpyInstance {
    const resolver = jest.spyOn(dns, 'lookup') as unknown as jest.SpyInstance<void, Parameters<Resolver>>;
    return resolver.mockImplementation((_name, _options, callback) => {
      callback(
        null,
        (answers.shift() ?? []).map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
      );
    });
  }

  function looked(all: boolean): Promise<unknown> {
    return new Promise((resolve) => {
      lookupPublicAddress('evil.example', { all }, (error, address) => {
        resolve(error ?? address);
      });
    });
  }

  it.each([[['8.8.8.8', '127.0.0.1']], [['2606:4700::1111', '::1']], [['8.8.8.8', '::ffff:10.0.0.1']]])(
    'is refused when one of its addresses is private: %j',
    async (addresses) => {
      resolving(addresses, addresses);
      expect(await looked(false)).toBeInstanceOf(PrivateAddress);
      expect(await looked(true)).toBeInstanceOf(PrivateAddress);
    },
  );

  it('is resolved once, so that the connection goes to the checked address', async () => {
    const resolver = resolving(['8.8.8.8'], ['127.0.0.1']);
    expect(await looked(false)).toBe('8.8.8.8');
    expect(resolver).toHaveBeenCalledTimes(1);
    expect(await looked(false)).toBeInstanceOf(PrivateAddress);
  });
});
