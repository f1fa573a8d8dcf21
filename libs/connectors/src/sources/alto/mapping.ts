import type { XmlRecord } from '../../formats/xml-records';
import { toNumber, toRooms, toSquareMetres } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import { features, inOneLine, links, periodic } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { certificate } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { standing } from '../../kit/status';
import { noticedNumber } from '../../kit/verb';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { statutOf, showsAddress } from './display';
import { FURNISHED, type PropertyType, TYPES, UNITS } from './lookups';
import { documentsOf, photosOf, plansOf, tourOf } from './media';
import { FIGURES, type Offer, readOffer } from './offer';

const HIP = 'hip.energy_performance.energy_efficiency';
const at = {
  paragraphs: compilePath('paragraphs.paragraph'),
  bullets: compilePath('bullets.bullet'),
  town: compilePath('address.town'),
  current: compilePath(`${HIP}.current`),
  potential: compilePath(`${HIP}.potential`),
};
const prices = together<XmlRecord, Offer>(readOffer);
const areas = together<XmlRecord, Areas>(readAreas);
const where = place<XmlRecord>({
  country: v.setting('pays'),
  postcode: v.word('address.postcode'),
  usual: 'GB',
});
/** Points on the British scale, 1 to 100. Outside Britain they belong to no known scale and are ignored. */
const energy = certificate<XmlRecord>((record, context) => {
  const pays = where.pays.read(record, context);
  if (pays !== 'GB') {
    for (const value of [
      pointsIn(at.current(record), 'current', context),
      pointsIn(at.potential(record), 'potential', context),
    ])
      if (value !== undefined) context.warn('implausible_value', HIP, `${value} points outside Britain`);
    return { pays, figures: [] };
  }
  return {
    pays,
    figures: [
      { grandeur: 'note', field: `${HIP}.current`, valeur: pointsIn(at.current(record), 'current', context) },
      {
        grandeur: 'note-potentielle',
        field: `${HIP}.potential`,
        valeur: pointsIn(at.potential(record), 'potential', context),
      },
    ],
  };
});

/** Paths start at `property`. `summary` is the entry of the property in the list. */
export const MAPPING: ListingMapping<XmlRecord> = {
  ...absentGroups('not in the export', {
    'the certificate is British: energie': ['certificate'],
    'fees are those of vendors and landlords': ['fees'],
    'specific to French law': ['lifeAnnuity', 'rentControl', 'frenchLaw'],
    'a rent is one amount': ['rentParts'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to other land registers': ['registrations'],
    'a branch has only a name': ['licences'],
    'a property names no development': ['project'],
    'there is only the current price': ['priceDetails'],
    'an area is inside or land': ['otherAreas'],
  }),
  affId: v.identifier('@id'),
  affNum: v.first(v.text('reference.agents'), v.text('@id')),
  intitule: v.first(v.text('address.display'), v.builtTitle(titleParts)),
  commentaires: v.computed(descriptionOf, 'description', 'paragraphs.paragraph'),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'prixMention', 'loyer', 'loyerPeriode', 'loyerSource'),
  typeTransactionSource: v.text('@database'),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  typeCode: v.computed((record: XmlRecord, context) => {
    const [first] = wordsOf(record);
    return first === undefined
      ? undefined
      : (typeOf(record)?.code ?? lookUp(TYPES, first, 'type', context)?.code ?? 'autre');
  }, 'type'),
  typeCodeSource: v.computed((record: XmlRecord) => inOneLine(wordsOf(record)), 'type'),
  prixCurrency: v.currency('price.@currency', 'GBP'),
  ...areas.fields('surfaceHabitable', 'surfaceTerrain', 'surfacePlage'),
  nbreChambres: v.rooms('bedrooms'),
  nbreSallesDeBain: v.integer('bathrooms'),
  ville: v.firstOf(v.text, 'address.town', 'address.locality'),
  quartier: v.when((record: XmlRecord) => textOf(at.town(record)) !== undefined, v.text('address.locality')),
  region: v.text('address.county'),
  ...where,
  adresse: v.when(
    (record: XmlRecord, context) => showsAddress(record, context) === true,
    v.joined('address.name', 'address.street'),
  ),
  ...position<XmlRecord>('latitude', 'longitude', showsAddress),
  photos: v.photos('files.file', photosOf),
  agenceNom: v.first(
    v.setting('agence-nom'),
    v.computed((record: XmlRecord, { feed }: RecordContext) => {
      const names = feed['branches'] as Readonly<Record<string, string | undefined>> | undefined;
      return plainLine(names?.[textOf(record['@branchid']) ?? '']);
    }, '@branchid'),
  ),
  energie: energy.field('energie'),
  meuble: v.computed((record: XmlRecord, context) => {
    const found = lookUp(FURNISHED, textOf(record['furnished']), 'furnished', context);
    return typeof found === 'boolean' ? found : undefined;
  }, 'furnished'),
  neuf: v.flag('newbuild'),
  jardin: v.flag('garden'),
  parking: v.flag('parking'),
  depotGarantie: v.money('let_bond', FIGURES),
  chargesService: periodic(v.money('service_charge', FIGURES), 'an'),
  redevanceFonciere: periodic(v.money('groundrent', FIGURES), 'an'),
  caracteristiques: features(
    (record: XmlRecord) => listOf(at.bullets(record)).flatMap((one) => textOf(one) ?? []),
    'bullets.bullet',
  ),
  disponibilite: v.day('available'),
  visiteVirtuelle: v.computed(tourOf, 'files.file'),
  plans: links(plansOf, 'files.file'),
  documents: links(documentsOf, 'files.file'),
  dateCreation: v.date('uploaded'),
  dateModification: v.date('summary.lastchanged'),
  ...v.absent('not in the export', 'textes', 'langue', 'url', 'negoEmail', 'numeroEnregistrement', 'commission'),
  ...v.absent('bedrooms and receptions are not all rooms', 'nbrePieces'),
  ...v.absent('specific to French law', 'surfaceCarrez'),
  ...v.absent('the end of a lease is a date: its years depend on today', 'bailAnnees'),
};

interface Areas {
  surfaceHabitable: number | undefined;
  surfaceTerrain: number | undefined;
  surfacePlage: { min: number; max: number } | undefined;
}

/**
 * An area is land if it is in acres or hectares, if its `measure` says so, or if the property is a plot. The first land
 * area and the first other area are used.
 */
function readAreas(record: XmlRecord, context: RecordContext): Areas {
  const found: Areas = { surfaceHabitable: undefined, surfaceTerrain: undefined, surfacePlage: undefined };
  for (const one of listOf(record['area'])) {
    if (typeof one !== 'object' || one === null) continue;
    const { '@unit': written, '@measure': measure, min, max } = one as XmlRecord;
    const least = v.readSize(scalarOf(min), 'area.min', context, FIGURES);
    const most = v.readSize(scalarOf(max), 'area.max', context, FIGURES);
    const size = least ?? most;
    if (size === undefined) continue;
    const unit = lookUp(UNITS, textOf(written) ?? 'sqft', 'area.@unit', context, 'implausible_value');
    const squareMetres = unit === undefined ? undefined : toSquareMetres(size, unit);
    if (unit === undefined || squareMetres === undefined) continue;
    const isLand =
      unit === 'acre' ||
      unit === 'ha' ||
      /land|plot|site/i.test(textOf(measure) ?? '') ||
      typeOf(record)?.code === 'terrain';
    if (isLand) found.surfaceTerrain ??= squareMetres;
    else if (found.surfaceHabitable === undefined) {
      found.surfaceHabitable = squareMetres;
      const upper = least !== undefined && most !== undefined && most > least ? toSquareMetres(most, unit) : undefined;
      if (upper !== undefined) found.surfacePlage = { min: squareMetres, max: upper };
    }
  }
  return found;
}

/** Points from 1 to 100; another number gives a warning. Zero means unknown. */
function pointsIn(value: unknown, name: string, context: RecordContext): number | undefined {
  const written = scalarOf(value);
  const points = noticedNumber(toNumber(written), written, `${HIP}.${name}`, context);
  if (points === undefined || points <= 0) return undefined;
  if (points <= MOST_POINTS) return points;
  context.warn('implausible_value', `${HIP}.${name}`, String(written).slice(0, 120));
  return undefined;
}

const MOST_POINTS = 100;

function wordsOf(record: XmlRecord): string[] {
  return listOf(record['type']).flatMap((word) => textOf(word) ?? []);
}

/** The type for the first known word. */
function typeOf(record: XmlRecord): PropertyType | undefined {
  return wordsOf(record).flatMap((word) => TYPES.find(word) ?? [])[0];
}

/** The description, then the rooms with their sizes. Paragraphs of another type than 0 are only in `raw`. */
function descriptionOf(record: XmlRecord): string | undefined {
  const rooms = listOf(at.paragraphs(record)).flatMap((one) => {
    if (typeof one !== 'object' || one === null) return [];
    const { '@type': type = '0', name, text, dimensions } = one as XmlRecord;
    if (textOf(type) !== '0') return [];
    const { mixed, metric, imperial } = (
      typeof dimensions === 'object' && dimensions !== null ? dimensions : {}
    ) as XmlRecord;
    const size = [mixed, metric, imperial].flatMap((measure) => plainLine(textOf(measure)) ?? [])[0];
    const title = [plainLine(textOf(name)), size && `(${size})`].filter((word) => word !== undefined).join(' ');
    return [[title, plainText(textOf(text)) ?? ''].filter((line) => line !== '').join('\n')];
  });
  const all = [plainText(textOf(record['description'])) ?? '', ...rooms].filter((part) => part !== '');
  return all.length === 0 ? undefined : all.join('\n\n');
}

function titleParts(record: XmlRecord): TitleParts {
  return {
    type: typeOf(record)?.title,
    chambres: toRooms(scalarOf(record['bedrooms'])),
    ville: plainLine(textOf(at.town(record))),
  };
}
