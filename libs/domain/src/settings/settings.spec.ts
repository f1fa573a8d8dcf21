import { ConfigError, Settings } from '../index';

const read = (value: string): Settings => new Settings({ X: value });

describe('settings', () => {
  it.each([
    ['an integer in its range', () => read('42').integer('X', { min: 1, max: 99 }), 42],
    ['an unset integer', () => new Settings({}).integer('X', { min: 1, max: 99 }), undefined],
    ['an empty variable as an unset one', () => read(' ').text('X'), undefined],
    ['a list without its empty entries', () => read('a:1, ,b:2,').list('X'), ['a:1', 'b:2']],
    ['a flag', () => read('true').flag('X'), true],
    ['an unset flag', () => new Settings({}).flag('X'), false],
    ['an address', () => read('redis://h/1').address('X', ['redis', 'rediss']), 'redis://h/1'],
    ['one of some words', () => read('warn').oneOf('X', ['info', 'warn']), 'warn'],
  ])('reads %s', (_what, value, expected) => {
    expect(value()).toEqual(expected);
  });

  it.each([
    [
      'an integer below its range',
      () => read('0').integer('X', { min: 1, max: 99 }),
      'X must be an integer from 1 to 99, not "0"',
    ],
    [
      'an integer with a unit',
      () => read('5s').integer('X', { min: 1, max: 99 }),
      'X must be an integer from 1 to 99, not "5s"',
    ],
    ['a flag that is neither', () => read('yes').flag('X'), 'X must be true or false, not "yes"'],
    [
      'a word that is not allowed',
      () => read('loud').oneOf('X', ['info', 'warn']),
      'X must be one of info, warn, not "loud"',
    ],
    [
      'another scheme, without repeating what may hold a password',
      () => read('http://u:secret@h').address('X', ['redis', 'rediss']),
      'X must be an address that starts with redis:// or rediss://',
    ],
  ])('refuses %s', (_what, value, message) => {
    expect(value).toThrow(new ConfigError(message));
  });
});
