import { networkOf, Networks, subnetOf } from './network';

describe('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['2001:DB8:0001:2::6', '2001:db8:1:2'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4'],
    ['a'.repeat(15_000), 'no address'],
    ['192.0.2.1, 192.0.2.2', 'no address'],
    ['1:2', 'no address'],
    [undefined, 'gone'],
  ])('maps %s to %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('subnetOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.0/24'],
    ['::ffff:192.0.2.255', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2', null],
    ['', null],
    [undefined, null],
  ])('maps %s to %s', (address, network) => {
    expect(subnetOf(address)).toBe(network);
  });
});

describe('Networks', () => {
  const networks = new Networks(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1']);

  it.each([
    ['192.0.2.1', true],
    ['192.0.2.2', false],
    ['10.255.0.1', true],
    ['11.0.0.1', false],
    ['::ffff:10.1.2.3', true],
    ['::ffff:a01:203', true],
    ['::ffff:11.1.2.3', false],
    ['2001:db8:1::1', true],
    ['2001:db9::1', false],
    ['::1', true],
    ['::1%lo', true],
    ['::2', false],
    ['10.0.0.1, 192.0.2.1', false],
    ['', false],
    [undefined, false],
  ])('contains %s: %s', (address, isIn) => {
    expect(networks.has(address)).toBe(isIn);
  });

  it('contains no address when it is empty', () => {
    expect(new Networks([]).has('127.0.0.1')).toBe(false);
  });
});
