import { toLanguage } from './language';

describe('toLanguage', () => {
  it.each([
    ['fr', 'fr'],
    ['EN', 'en'],
    ['fr_CH', 'fr'],
    ['de-AT', 'de'],
    ['fre', 'fr'],
    ['deu', 'de'],
    ['Français', 'fr'],
    ['english', 'en'],
    ['GB', 'en'],
    ['se', 'sv'],
    ['Română', 'ro'],
    ['rumano', 'ro'],
    ['Roumain', 'ro'],
    ['Griechisch', 'el'],
    ['gr', 'el'],
    ['Türkçe', 'tr'],
    ['uk', 'uk'],
    ['ro-RO', 'ro'],
  ])('reads %s', (word, language) => {
    expect(toLanguage(word)).toBe(language);
  });

  it.each(['', 'xx', 'text', '#text', 'title', '1'])('returns undefined for "%s"', (word) => {
    expect(toLanguage(word)).toBeUndefined();
  });
});
