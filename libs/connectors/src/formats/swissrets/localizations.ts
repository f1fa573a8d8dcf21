import type { XmlRecord } from '../xml-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { inLanguages, type TextsByLanguage, textsOf, type ListingTexts } from '../../kit/by-language';
import { toUrl } from '../../kit/clean/links';
import { type PhotoSource, withoutUser } from '../../kit/clean/photos';
import { plainText } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf, textOf } from '../../kit/values';

const localizationsAt = compilePath('localizations.localization');
const imagesAt = compilePath('attachments.image');
const IMAGE_PATH = 'localizations.localization.attachments.image';

export function textsIn(record: XmlRecord, context: RecordContext): ListingTexts {
  const named = (name: string): TextsByLanguage =>
    textsOf(
      listOf(localizationsAt(record)).map((texts) => [languageOf(texts), plainText(textOf(member(texts, name)))]),
    );
  const descriptions = named('description');
  const languages = languagesOf(context);
  // A description in any language says more than an excerpt.
  const described = [...languages.filter((language) => descriptions.has(language)), ...descriptions.keys()];
  const proses = new Map([...named('excerpt'), ...descriptions]);
  return inLanguages(named('name'), proses, languages, [...described, ...languages]);
}

/** The first address of a kind of link. A film of the archive gives a warning: only pictures and PDFs are stored. */
export function linkOf(kind: string): (record: XmlRecord, context: RecordContext) => string | undefined {
  const linksAt = compilePath(`attachments.${kind}`);
  return (record, context) => {
    let unusable: string | undefined;
    const found = firstOf(record, context, (texts) => {
      for (const link of listOf(linksAt(texts))) {
        const written = addressOf(link);
        const address = toUrl(written);
        if (address !== undefined) return address;
        unusable ??= written;
      }
      return undefined;
    });
    if (found === undefined && unusable !== undefined)
      context.warn(
        'photo_invalid',
        `localizations.localization.attachments.${kind}`,
        withoutUser(unusable).slice(0, 120),
      );
    return found;
  };
}

/** The images of the preferred language, else of the first language with images: each language lists all of them. */
export function imagesOf(record: XmlRecord, context: RecordContext): PhotoSource[] {
  const images = firstOf(record, context, (texts) => {
    const found = listOf(imagesAt(texts)).filter((image) => addressOf(image) !== undefined);
    return found.length === 0 ? undefined : found;
  });
  return (images ?? []).flatMap((image) => photoOf(image, context));
}

export function attachmentsOf(kind: 'plan' | 'document', record: XmlRecord, context: RecordContext): LinkSource[] {
  const found = firstOf(record, context, (texts) => {
    const attachments = listOf(member(member(texts, 'attachments'), kind));
    return attachments.some((one) => addressOf(one) !== undefined) ? attachments : undefined;
  });
  return (found ?? []).map((one) => ({ ...fileOrAddress(addressOf(one)), titre: member(one, 'title') }));
}

function addressOf(attachment: unknown): string | undefined {
  return textOf(member(attachment, 'url')) ?? textOf(attachment);
}

function photoOf(image: unknown, context: RecordContext): PhotoSource[] {
  const value = addressOf(image);
  if (value === undefined) return [];
  const mimeType = textOf(member(image, 'mimeType'));
  if (mimeType !== undefined && !/^image\//i.test(mimeType)) {
    context.warn('photo_invalid', IMAGE_PATH, value.slice(0, 120));
    return [];
  }
  return [
    {
      ...fileOrAddress(value),
      legende: textOf(member(image, 'title')) ?? textOf(member(image, 'description')),
    },
  ];
}

/** A file in the archive may have any name, even without an extension. */
function fileOrAddress(value: string | undefined): { file: string } | { value: string | undefined } {
  return value !== undefined && /^file:/i.test(value) ? { file: value.replace(/^file:\/*/i, '') } : { value };
}

/**
 * Tries the texts by language until `read` returns a value: the operator's language, French, English, then the order of
 * the feed.
 */
function firstOf<T>(record: XmlRecord, context: RecordContext, read: (texts: unknown) => T | undefined): T | undefined {
  const localizations = listOf(localizationsAt(record));
  for (const language of languagesOf(context)) {
    for (const texts of localizations) {
      if (languageOf(texts) !== language) continue;
      const found = read(texts);
      if (found !== undefined) return found;
    }
  }
  for (const texts of localizations) {
    const found = read(texts);
    if (found !== undefined) return found;
  }
  return undefined;
}

const DEFAULT_LANGUAGES: readonly string[] = ['fr', 'en'];

function languagesOf(context: RecordContext): readonly string[] {
  const wanted = context.settings['langue']?.trim().slice(0, 2).toLowerCase();
  return wanted === undefined || wanted === '' ? DEFAULT_LANGUAGES : [wanted, ...DEFAULT_LANGUAGES];
}

/** `fr`, also for `fr-CH`. */
function languageOf(texts: unknown): string {
  return textOf(member(texts, '@lang'))?.slice(0, 2).toLowerCase() ?? '';
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
