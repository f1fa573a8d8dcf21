import { isRental, type Listing } from '@passerelle/domain';
import type { ExportContext, ExportItem, PhotoFiles } from '../../kit/contracts';
import { textsFor } from '../../kit/languages';
import { toLatin1 } from '../../kit/latin1';
import { rentIn } from '../../kit/offer';
import { photoAddress, photoExtension } from '../../kit/photo-address';
import { positionOf } from '../../kit/place';
import { choiceOf, settingOf } from '../../kit/settings';
import { cleanText, cutText, decimal, fittingId, oneLine, withoutTags } from '../../kit/text';
import {
  COLUMNS,
  DOCUMENT_COLUMNS,
  FEATURE_COLUMNS,
  FREQUENCIES,
  IMAGE_COLUMNS,
  ON_REQUEST,
  PLAN_COLUMNS,
  QUALIFIERS,
  SQUARE_METRES,
  TENURES,
  TYPES,
} from './lookups';

const FIELD_END = '^';
const ROW_END = '~';
const LONGEST_SUMMARY = 300;
const LONGEST_DESCRIPTION = 30_000;

/** The header and the definition of the columns. The number of properties is not known when the file begins. */
export function documentStart({ publishedAtMs }: ExportContext): string {
  const [day = '', time = ''] = new Date(publishedAtMs).toISOString().split('T');
  const header = ['#HEADER#', 'VERSION : 3', `EOF : '${FIELD_END}'`, `EOR : '${ROW_END}'`];
  const definition = COLUMNS.map((column) => `${column}${FIELD_END}`).join('') + ROW_END;
  const generated = `Generated Date : ${day} ${time.slice(0, 5)}`;
  return `${[...header, generated, '', '#DEFINITION#', definition, '', '#DATA#'].join('\r\n')}\r\n`;
}

export const DOCUMENT_END = '#END#\r\n';

type Cells = Record<string, string | number | undefined>;

/** One row of #DATA#. */
export function propertyRow(item: ExportItem, context: ExportContext): string {
  const cells: Cells = {
    ...identityCells(item, context),
    ...placeCells(item.listing),
    ...textCells(item.listing, context),
    ...offerCells(item.listing),
    ...sizeCells(item.listing),
    ...mediaCells(item, context),
  };
  return `${COLUMNS.map((column) => cellOf(cells[column]) + FIELD_END).join('')}${ROW_END}\r\n`;
}

/** Texts cannot contain the separators, and readers show them as HTML. */
function cellOf(value: string | number | undefined): string {
  if (value === undefined) return '';
  const text = toLatin1(withoutTags(cleanText(String(value))));
  const safe = text
    .replaceAll(FIELD_END, ' ')
    .replaceAll(ROW_END, '-')
    .replace(/#(?=end#|header#|data#|definition#)/gi, '# ');
  return safe.trim().replaceAll('\n', '<br/>');
}

/** AGENT_REF begins with the branch. */
export function agentRefOf(advertId: string, branch: string): string {
  const id = fittingId(advertId, LONGEST_REFERENCE, /^[\w./:-]+$/);
  return id.startsWith(`${branch}_`) ? id : `${branch}_${id}`;
}

const LONGEST_REFERENCE = 60;

export function branchOf(context: ExportContext): string {
  return settingOf(context, 'branch') ?? '';
}

function identityCells({ listing, advertId, changedAtMs }: ExportItem, context: ExportContext): Cells {
  const branch = branchOf(context);
  return {
    ...{ AGENT_REF: agentRefOf(advertId, branch), BRANCH_ID: branch, PUBLISHED_FLAG: 1 },
    ...{ STATUS_ID: statusOf(listing), PROP_SUB_ID: TYPES[listing.typeCode ?? 'autre'] },
    CREATE_DATE: dateTime(listing.dateCreation),
    UPDATE_DATE: dateTime(listing.dateModification ?? new Date(changedAtMs).toISOString()),
  };
}

function statusOf(listing: Listing): number {
  if (listing.statut === undefined) return 0;
  if (isLet(listing)) return 5;
  return listing.statut === 'sous-compromis' ? 1 : 3;
}

function isLet({ typeTransaction }: Listing): boolean {
  return typeTransaction !== undefined && isRental(typeTransaction);
}

/** A hidden address is the district and the town. */
export function displayAddress({ adresse, quartier, ville }: Listing): string {
  return adresse ?? [quartier, ville].filter((part) => part !== undefined).join(', ');
}

function placeCells(listing: Listing): Cells {
  const [outward = '', inward = ''] = (listing.codePostal ?? '').split(' ');
  const position = positionOf(listing);
  return {
    ...{ DISPLAY_ADDRESS: oneLine(displayAddress(listing)), ADDRESS_1: oneLine(displayAddress(listing)) },
    ...{ TOWN: listing.ville, POSTCODE1: outward, POSTCODE2: inward },
    LATITUDE: position === undefined ? undefined : decimal(position.latitude, 6),
    LONGITUDE: position === undefined ? undefined : decimal(position.longitude, 6),
  };
}

/** The summary is the beginning of the description. */
function textCells(listing: Listing, context: ExportContext): Cells {
  const { commentaires } = textsFor(listing, context.placement.language);
  const features = listing.caracteristiques ?? [];
  return {
    SUMMARY: commentaires === undefined ? undefined : cutText(oneLine(commentaires), LONGEST_SUMMARY),
    DESCRIPTION: commentaires === undefined ? undefined : cutText(commentaires, LONGEST_DESCRIPTION),
    ...Object.fromEntries(FEATURE_COLUMNS.map((column, at) => [column, oneLine(features[at] ?? '')])),
    DEVELOPMENT_NAME: listing.programmeNom,
  };
}

function offerCells(listing: Listing): Cells {
  const qualifier = QUALIFIERS[listing.prixMention?.toLowerCase() ?? ''] ?? 0;
  const shared = listing.partAchetee;
  return {
    ...(isLet(listing) ? lettingCells(listing) : saleCells(listing)),
    PRICE_QUALIFIER: listing.prixSurDemande === true ? ON_REQUEST : qualifier,
    NEW_HOME_FLAG: flag(listing.neuf),
    TENURE_TYPE_ID: TENURES[listing.regimePropriete?.toLowerCase() ?? ''],
    TENURE_UNEXPIRED_YEARS: listing.bailAnnees,
    COUNCIL_TAX_BAND: listing.bandeCouncilTax,
    SHARED_OWNERSHIP: shared === undefined ? undefined : 'Y',
    SHARED_OWNERSHIP_PERCENTAGE: amount(shared),
    ANNUAL_GROUND_RENT: yearly(listing.redevanceFonciere),
    ANNUAL_SERVICE_CHARGE: yearly(listing.chargesService) ?? amount(listing.coproCharges),
  };
}

function saleCells(listing: Listing): Cells {
  return {
    ...{ TRANS_TYPE_ID: 1, PRICE: amount(listing.prix) ?? 0 },
    BUSINESS_FOR_SALE_FLAG: flag(listing.typeTransaction === 'fonds-de-commerce' ? true : undefined),
  };
}

function lettingCells(listing: Listing): Cells {
  const rent = rentIn(listing, ['semaine', 'mois', 'trimestre', 'an']);
  const { meuble, disponibilite, disponibiliteTexte } = listing;
  return {
    ...{ TRANS_TYPE_ID: 2, PRICE: amount(rent?.amount) ?? 0, LET_RENT_FREQUENCY: FREQUENCIES[rent?.period ?? 'mois'] },
    LET_TYPE_ID: listing.typeTransaction === 'location-saisonniere' ? 2 : 0,
    // 3 is "not specified".
    LET_FURN_ID: meuble === undefined ? 3 : meuble ? 0 : 2,
    LET_BOND: amount(listing.depotGarantie),
    LET_DATE_AVAILABLE: dateTime(disponibilite) ?? oneLine(disponibiliteTexte ?? ''),
  };
}

function sizeCells(listing: Listing): Cells {
  const { nbreChambres, nbrePieces, nbreSallesDeBain, nbreSallesEau, typeCode } = listing;
  const living = nbrePieces === undefined ? 0 : Math.floor(nbrePieces - (nbreChambres ?? 0));
  const bathrooms = (nbreSallesDeBain ?? 0) + (nbreSallesEau ?? 0);
  const size = typeCode === 'terrain' ? listing.surfaceTerrain : listing.surfaceHabitable;
  return {
    BEDROOMS: nbreChambres === undefined ? undefined : Math.floor(nbreChambres),
    BATHROOMS: bathrooms === 0 ? undefined : Math.floor(bathrooms),
    LIVING_ROOMS: living > 0 ? living : undefined,
    MIN_SIZE_ENTERED: amount(size),
    AREA_SIZE_UNIT_ID: size === undefined ? undefined : SQUARE_METRES,
  };
}

export function sendsFiles(context: ExportContext): boolean {
  return choiceOf(context, 'photos', ['addresses', 'files']) === 'files';
}

function mediaCells(item: ExportItem, context: ExportContext): Cells {
  const { photos, plans = [], documents = [], video, visiteVirtuelle } = item.listing;
  const isFiles = sendsFiles(context);
  const cells: Cells = {};
  photos.slice(0, IMAGE_COLUMNS.length).forEach((photo, at) => {
    const { value, text } = IMAGE_COLUMNS[at]!;
    cells[value] = isFiles ? fileName(item, context, at) : photoAddress(photo);
    cells[text] = oneLine(photo.legende ?? '');
  });
  for (const [columns, links] of [
    [PLAN_COLUMNS, plans],
    [DOCUMENT_COLUMNS, documents],
  ] as const) {
    links.slice(0, columns.length).forEach(({ url, titre, empreinte = '' }, at) => {
      const { value, text } = columns[at]!;
      cells[value] = photoAddress({ url, empreinte });
      cells[text] = oneLine(titre ?? '');
    });
  }
  const tours = [visiteVirtuelle, video].filter((address) => address !== undefined);
  tours.forEach((address, at) => (cells[`MEDIA_VIRTUAL_TOUR_0${at}`] = address));
  return cells;
}

/** The photos of one property as files of the archive. */
export const photoFiles: PhotoFiles = (item, context) =>
  item.listing.photos.slice(0, IMAGE_COLUMNS.length).map(({ url }, at) => ({ name: fileName(item, context, at), url }));

/** The names that readers of the format expect. */
function fileName({ listing, advertId }: ExportItem, context: ExportContext, at: number): string {
  const reference = agentRefOf(advertId, branchOf(context)).replace(/[^\w-]/g, '-');
  return `${reference}_IMG_${String(at).padStart(2, '0')}${photoExtension(listing.photos[at]!.url)}`;
}

/** `YYYY-MM-DD HH:MM:SS` */
function dateTime(date: string | undefined): string | undefined {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}))?/.exec(date ?? '') ?? [];
  return day === undefined ? undefined : `${day} ${time}`;
}

function yearly(one: Listing['redevanceFonciere']): string | undefined {
  return one?.periode === 'an' ? decimal(one.montant) : undefined;
}

function amount(value: number | undefined): string | undefined {
  return value === undefined ? undefined : decimal(value);
}

function flag(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? 'Y' : 'N';
}
