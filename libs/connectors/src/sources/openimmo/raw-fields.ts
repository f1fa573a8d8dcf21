import type { XmlRecord } from '../../formats/xml-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { listOf, textOf } from '../../kit/values';
import { isInternalAttachment } from './attachments';
import { attributeOf } from './attributes';
import { showsAddress } from './mapping';

/**
 * The paths of elements that are published with all their attributes, which say the kind of the element. The format
 * gives these elements no children.
 */
function of(section: string, names: string): string[] {
  return names.split(' ').map((name) => `${section}.${name}.@*`);
}

/** The paths of elements that contain only text. For people and the transfer, only these elements are published. */
function textsOf(section: string, names: string): string[] {
  return names.split(' ').map((name) => `${section}.${name}`);
}

const PUBLIC = [
  ...of('objektkategorie', 'nutzungsart vermarktungsart objektart objektart_zusatz'),
  ...of(
    'objektkategorie.objektart',
    'zimmer wohnung haus grundstueck buero_praxen einzelhandel gastgewerbe hallen_lager_prod land_und_forstwirtschaft ' +
      'parken sonstige freizeitimmobilie_gewerblich zinshaus_renditeobjekt objektart_zusatz',
  ),
  ...of(
    'geo',
    'plz ort land bundesland gemeindecode regionaler_zusatz karten_makro karten_mikro virtuelletour luftbildern',
  ),
  ...of('geo', 'etage anzahl_etagen lage_im_bau lage_gebiet'),
  ...textsOf(
    'kontaktperson',
    'email_zentrale email_direkt tel_zentrale tel_durchw tel_fax name vorname titel anrede anrede_brief',
  ),
  ...textsOf('kontaktperson', 'position firma url immobilientreuhaenderid'),
  ...of('preise', 'kaufpreis kaufpreisnetto kaufpreisbrutto nettokaltmiete kaltmiete warmmiete nebenkosten heizkosten'),
  ...of(
    'preise',
    'heizkosten_enthalten heizkostennetto heizkostenust zzg_mehrwertsteuer mietzuschlaege hauptmietzinsnetto',
  ),
  ...of(
    'preise',
    'hauptmietzinsust pauschalmiete betriebskostennetto betriebskostenust evbnetto evbust gesamtmietenetto',
  ),
  ...of('preise', 'gesamtmieteust gesamtmietebrutto gesamtbelastungnetto gesamtbelastungust gesamtbelastungbrutto'),
  ...of(
    'preise',
    'gesamtkostenprom2von gesamtkostenprom2bis monatlichekostennetto monatlichekostenust monatlichekostenbrutto',
  ),
  ...of(
    'preise',
    'nebenkostenprom2von nebenkostenprom2bis ruecklagenetto ruecklageust sonstigekostennetto sonstigekostenust',
  ),
  ...of(
    'preise',
    'sonstigemietenetto sonstigemieteust summemietenetto summemieteust nettomieteprom2von nettomieteprom2bis',
  ),
  ...of(
    'preise',
    'pacht erbpacht hausgeld abstand preis_zeitraum_von preis_zeitraum_bis preis_zeiteinheit mietpreis_pro_qm',
  ),
  ...of('preise', 'kaufpreis_pro_qm provisionspflichtig aussen_courtage courtage_hinweis provisionbrutto'),
  ...of('preise', 'waehrung mwst_satz mwst_gesamt freitext_preis x_fache nettorendite nettorendite_soll'),
  ...of('preise', 'nettorendite_ist mieteinnahmen_ist mieteinnahmen_soll erschliessungskosten kaution kaution_text'),
  ...of(
    'preise',
    'geschaeftsguthaben stp_carport stp_duplex stp_freiplatz stp_garage stp_parkhaus stp_tiefgarage stp_sonstige',
  ),
  ...of('preise', 'richtpreis richtpreisprom2'),
  ...of(
    'bieterverfahren',
    'beginn_angebotsphase besichtigungstermin besichtigungstermin_2 beginn_bietzeit ende_bietzeit',
  ),
  ...of('versteigerung', 'zwangsversteigerung zvtermin zusatztermin amtsgericht verkehrswert'),
  ...of(
    'flaechen',
    'wohnflaeche nutzflaeche gesamtflaeche ladenflaeche lagerflaeche verkaufsflaeche freiflaeche bueroflaeche',
  ),
  ...of('flaechen', 'bueroteilflaeche fensterfront fensterfront_qm verwaltungsflaeche gastroflaeche grz gfz bmz bgf'),
  ...of(
    'flaechen',
    'grundstuecksflaeche sonstflaeche anzahl_zimmer anzahl_schlafzimmer anzahl_badezimmer anzahl_sep_wc',
  ),
  ...of('flaechen', 'anzahl_balkone anzahl_terrassen anzahl_balkon_terrassen anzahl_logia balkon_terrasse_flaeche'),
  ...of(
    'flaechen',
    'anzahl_wohn_schlafzimmer gartenflaeche kellerflaeche fensterfront dachbodenflaeche beheizbare_flaeche',
  ),
  ...of('flaechen', 'grundstuecksfront anzahl_stellplaetze plaetze_gastraum anzahl_betten anzahl_tagungsraeume'),
  ...of('flaechen', 'vermietbare_flaeche anzahl_wohneinheiten anzahl_gewerbeeinheiten einliegerwohnung kubatur'),
  ...of('flaechen', 'ausnuetzungsziffer flaechevon flaechebis teilbar_ab'),
  ...of(
    'ausstattung',
    'ausstatt_kategorie wg_geeignet raeume_veraenderbar bad kueche boden kamin heizungsart befeuerung',
  ),
  ...of(
    'ausstattung',
    'klimatisiert fahrstuhl stellplatzart gartennutzung ausricht_balkon_terrasse moebliert rollstuhlgerecht',
  ),
  ...of(
    'ausstattung',
    'kabel_sat_tv dvbt barrierefrei sauna swimmingpool wasch_trockenraum wintergarten dv_verkabelung rampe',
  ),
  ...of('ausstattung', 'hebebuehne kran gastterrasse stromanschlusswert kantine_cafeteria teekueche hallenhoehe'),
  ...of('ausstattung', 'angeschl_gastronomie brauereibindung sporteinrichtungen wellnessbereich serviceleistungen'),
  ...of(
    'ausstattung',
    'telefon_ferienimmobilie breitband_zugang umts_empfang sicherheitstechnik unterkellert abstellraum',
  ),
  ...of('ausstattung', 'fahrradraum rolladen dachform bauweise ausbaustufe energietyp bibliothek dachboden gaestewc'),
  ...of('ausstattung', 'kabelkanaele seniorengerecht'),
  ...of(
    'zustand_angaben',
    'baujahr letztemodernisierung zustand alter bebaubar_nach erschliessung erschliessung_umfang bauzone',
  ),
  ...of('zustand_angaben', 'altlasten verkaufstatus'),
  ...of('zustand_angaben.energiepass', 'epart gueltig_bis energieverbrauchkennwert mitwarmwasser endenergiebedarf'),
  ...of(
    'zustand_angaben.energiepass',
    'primaerenergietraeger stromwert waermewert wertklasse baujahr ausstelldatum jahrgang',
  ),
  ...of('zustand_angaben.energiepass', 'gebaeudeart epasstext geg2018 hwbwert hwbklasse fgeewert fgeeklasse'),
  ...of('infrastruktur', 'zulieferung ausblick distanzen distanzen_sport'),
  ...textsOf(
    'freitexte',
    'objekttitel dreizeiler lage ausstatt_beschr objektbeschreibung sonstige_angaben objekt_text objekt_text.@lang',
  ),
  // An attachment may also be a bare address.
  ...['anhaenge', 'anhaenge.anhang'],
  ...textsOf('anhaenge.anhang', '@location @gruppe anhangtitel format check.@* daten.pfad pfad'),
  ...of('verwaltung_objekt', 'objektadresse_freigeben verfuegbar_ab abdatum bisdatum min_mietdauer max_mietdauer'),
  ...of(
    'verwaltung_objekt',
    'versteigerungstermin wbs_sozialwohnung vermietet gruppennummer laufzeit max_personen nichtraucher',
  ),
  ...of('verwaltung_objekt', 'haustiere geschlecht denkmalgeschuetzt als_ferien gewerbliche_nutzung branchen hochhaus'),
  ...textsOf(
    'verwaltung_techn',
    'objektnr_intern objektnr_extern aktion aktion.@aktionart aktiv_von aktiv_bis openimmo_obid kennung_ursprung',
  ),
  ...textsOf('verwaltung_techn', 'stand_vom gruppen_kennung master sprache'),
];

const SECTIONS = [
  ...[
    'objektkategorie',
    'geo',
    'kontaktperson',
    'preise',
    'bieterverfahren',
    'versteigerung',
    'flaechen',
    'ausstattung',
  ],
  ...['zustand_angaben', 'infrastruktur', 'freitexte', 'anhaenge', 'verwaltung_objekt', 'verwaltung_techn'],
];

const PRIVATE: Readonly<Record<string, string>> = {
  weitere_adresse: 'addresses of owners, tenants and craftsmen',
  bewertung: 'the agency’s own rating of the object',
  ...reasons('kontaktperson', 'the person’s own', 'tel_privat tel_handy tel_sonstige email_privat email_sonstige foto'),
  ...reasons(
    'kontaktperson',
    'where the person lives or works',
    'strasse hausnummer plz ort postfach postf_plz postf_ort land',
  ),
  ...reasons(
    'kontaktperson',
    'between agency and portal',
    'zusatzfeld personennummer freitextfeld adressfreigabe referenz_id email_feedback',
  ),
  ...reasons('preise', 'paid by the seller, or shared between agencies', 'innen_courtage provision_teilen'),
  ...reasons('preise', 'the agency’s income: the advert has the amount with tax', 'provisionnetto provisionust'),
  ...reasons('bieterverfahren', 'the seller’s limit', 'mindestpreis hoechstgebot_zeigen'),
  'versteigerung.aktenzeichen': 'names a court case of the owner',
  'verwaltung_objekt.zugang': 'how to get in',
  ...reasons(
    'verwaltung_techn',
    'for whom the transfer is',
    'weitergabe_generell weitergabe_positiv weitergabe_negativ',
  ),
  'anhaenge.anhang.daten.anhanginhalt': 'the file itself, in base64',
  ...Object.fromEntries(
    ['', ...SECTIONS.map((section) => `${section}.`), 'anhaenge.anhang.', 'zustand_angaben.energiepass.'].flatMap(
      (section) =>
        ['user_defined_simplefield', 'user_defined_anyfield', 'user_defined_extend'].map((name): [string, string] => [
          `${section}${name}`,
          'anything that the CRM likes',
        ]),
    ),
  ),
};

/** The exact location of an object: public only if the address may be shown. */
const ADDRESS = ['strasse', 'hausnummer', 'geokoordinaten', 'wohnungsnr', 'flur', 'flurstueck', 'gemarkung'];

const project = addressProjection({
  public: PUBLIC,
  private: PRIVATE,
  address: of('geo', ADDRESS.join(' ')),
  hiddenBecause: 'the address may not be shown',
});

export function toRaw(record: XmlRecord, context: RecordContext): Record<string, unknown> {
  const showsDoor = showsAddress(record, context);
  return project(withoutHiddenAttachments(record, showsDoor), context, showsDoor);
}

const MAPS = /^KARTEN_LAGEPLAN$/i;

/** Omits internal documents, and maps if the address is hidden: a map reveals it as much as the street does. */
function withoutHiddenAttachments(record: XmlRecord, showsDoor: boolean): XmlRecord {
  const { anhaenge } = record;
  if (listOf(anhaenge).length === 0) return record;
  const kept = listOf(anhaenge).map((list) => {
    if (typeof list !== 'object' || list === null) return list;
    const { anhang } = list as Readonly<Record<string, unknown>>;
    if (anhang === undefined) return list;
    const isHiddenMap = (one: unknown): boolean => !showsDoor && MAPS.test(textOf(attributeOf(one, 'gruppe')) ?? '');
    return { ...list, anhang: listOf(anhang).filter((one) => !isHiddenMap(one) && !isInternalAttachment(one)) };
  });
  return { ...record, anhaenge: Array.isArray(anhaenge) ? kept : kept[0] };
}

/** Elements that are read as lists even if there is only one. */
export const LISTS = ['anhaenge.anhang'];

function reasons(section: string, reason: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [`${section}.${name}`, reason]));
}
