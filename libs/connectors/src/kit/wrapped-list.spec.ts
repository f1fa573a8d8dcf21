import { wrappedList } from './wrapped-list';

it.each<[string, unknown, unknown[]]>([
  ['several elements', { photo: ['a', 'b'] }, ['a', 'b']],
  ['one element', { photo: { url: 'a' } }, [{ url: 'a' }]],
  ['a bare text', ' a ', ['a']],
  ['a bare text with attributes', { '@nb': '1', '#text': 'a' }, ['a']],
  ['a bare text beside an element', { '#text': 'a', photo: 'b' }, ['a', 'b']],
  ['a repeated list', [{ photo: 'a' }, 'b', ''], ['a', 'b']],
  ['an empty list', '', []],
  ['nothing', null, []],
  ['other elements', { video: 'a' }, []],
])('a list of %s is the elements that it holds', (_title, value, expected) => {
  expect(wrappedList(value, 'photo')).toEqual(expected);
});
