import { isRental, type Listing } from '@passerelle/domain';
import { contactOf } from '../../kit/settings';
import type { ExportContext, ExportItem } from '../../kit/contracts';
import { textsByLanguage, textsFor } from '../../kit/languages';
import { positionOf } from '../../kit/place';
import { choiceOf, settingOf } from '../../kit/settings';
import { decimal } from '../../kit/text';
import { element, emptyElement, escapeXml, group } from '../../kit/xml';
import { attachmentsElement } from './attachments';
import { areasElement, conditionElements, equipmentElement } from './details';
import { COMMERCIAL, COUNTRIES, HOLIDAY_KINDS, KINDS, type ObjectKind } from './lookups';
import { pricesElement } from './offer';

const DAY = 10;

/** The transfer and the agency. A full transfer (VOLL) replaces all objects of the agency. */
export function documentStart(context: ExportContext): string {
  const transfer = emptyElement('uebertragung', {
    ...{ art: 'OFFLINE', umfang: 'VOLL', version: choiceOf(context, 'version', ['1.2.7', '1.2.7b', '1.2.7c']) },
    ...{ sendersoftware: 'Passerelle', senderversion: '1', timestamp: new Date(context.publishedAtMs).toISOString() },
  });
  const agency = element('firma', settingOf(context, 'firma')) + element('openimmo_anid', settingOf(context, 'anid'));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<openimmo>${transfer}<anbieter>${agency}\n`;
}

export const DOCUMENT_END = '</anbieter></openimmo>\n';

/** One `immobilie`; its children are in the order of the schema. */
export function objectElement(item: ExportItem, context: ExportContext): string {
  const { listing } = item;
  const children = [
    categoryElement(listing),
    placeElement(listing),
    contactElement(listing, context),
    pricesElement(listing),
    areasElement(listing),
    equipmentElement(listing),
    ...conditionElements(listing),
    textsElement(listing, context),
    attachmentsElement(item, context),
    group('verwaltung_objekt', [
      element('objektadresse_freigeben', listing.adresse !== undefined),
      element('verfuegbar_ab', listing.disponibiliteTexte),
      element('abdatum', listing.disponibilite?.slice(0, DAY)),
      element('vermietet', isLet(listing) ? undefined : listing.loue),
      element('haustiere', listing.animaux),
    ]),
    administrationElement(item, context),
  ];
  return `${group('immobilie', children)}\n`;
}

function isLet({ typeTransaction }: Listing): boolean {
  return typeTransaction !== undefined && isRental(typeTransaction);
}

/** `objektkategorie`. */
function categoryElement(listing: Listing): string {
  const { typeCode = 'autre', typeTransaction, regimePropriete } = listing;
  const isCommercial = COMMERCIAL.has(typeCode);
  const isInvestment = typeTransaction === 'investissement';
  return group('objektkategorie', [
    emptyElement('nutzungsart', {
      WOHNEN: !isCommercial,
      GEWERBE: isCommercial,
      ...(isInvestment && { ANLAGE: true }),
    }),
    emptyElement('vermarktungsart', {
      ...{ KAUF: !isLet(listing), MIETE_PACHT: isLet(listing) },
      ...(regimePropriete === 'ERBPACHT' && { ERBPACHT: true }),
    }),
    `<objektart>${kindElement(kindOf(listing))}</objektart>`,
  ]);
}

function kindOf({ typeCode = 'autre', typeTransaction }: Listing): ObjectKind {
  const holiday = typeTransaction === 'location-saisonniere' ? HOLIDAY_KINDS[typeCode] : undefined;
  return holiday ?? KINDS[typeCode];
}

function kindElement({ name, kind }: ObjectKind): string {
  return kind === undefined ? `<${name}/>` : emptyElement(name, { [kind[0]]: kind[1] });
}

/** `geo`. Without an address that may be shown, the position has two decimals. */
function placeElement(listing: Listing): string {
  const position = positionOf(listing);
  return group('geo', [
    element('plz', listing.codePostal),
    element('ort', listing.ville),
    emptyElement('geokoordinaten', {
      breitengrad: position === undefined ? undefined : decimal(position.latitude, 6),
      laengengrad: position === undefined ? undefined : decimal(position.longitude, 6),
    }),
    element('strasse', listing.adresse),
    element('bundesland', listing.region),
    emptyElement('land', { iso_land: COUNTRIES[listing.pays ?? ''] }),
    element('etage', listing.etage),
    element('anzahl_etagen', listing.nbreEtages),
    element('regionaler_zusatz', listing.quartier),
    element('virtuelletour', listing.visiteVirtuelle),
  ]);
}

/** The schema requires a name. */
function contactElement(listing: Listing, context: ExportContext): string {
  const { name, email } = contactOf(listing, context);
  const { phone } = context.placement.contact;
  return group('kontaktperson', [
    element('email_direkt', email),
    element('tel_zentrale', phone === undefined ? listing.agenceTel : undefined),
    element('tel_durchw', phone ?? listing.negoTel),
    element('name', name ?? settingOf(context, 'firma')),
    element('firma', listing.agenceNom),
    element('immobilientreuhaenderid', listing.negoCarte),
  ]);
}

/** `freitexte`: further languages have a description only. */
function textsElement(listing: Listing, context: ExportContext): string {
  const { intitule, commentaires, language } = textsFor(listing, context.placement.language);
  const others = textsByLanguage(listing, '').filter(([code]) => code !== '' && code !== language);
  return group('freitexte', [
    element('objekttitel', intitule),
    element('objektbeschreibung', commentaires),
    ...others.map(([code, texts]) => textElement(code, texts.commentaires)),
  ]);
}

function textElement(language: string, text: string | undefined): string {
  return text === undefined ? '' : `<objekt_text lang="${escapeXml(language)}">${escapeXml(text)}</objekt_text>`;
}

/** `verwaltung_techn`. The schema requires `aktion`; without an attribute it adds or replaces the object. */
function administrationElement({ listing, advertId, changedAtMs }: ExportItem, context: ExportContext): string {
  const { language } = textsFor(listing, context.placement.language);
  return group('verwaltung_techn', [
    element('objektnr_extern', listing.affNum ?? advertId),
    '<aktion/>',
    element('openimmo_obid', advertId),
    element('stand_vom', (listing.dateModification ?? new Date(changedAtMs).toISOString()).slice(0, DAY)),
    element('gruppen_kennung', listing.programmeId),
    element('sprache', language),
  ]);
}
