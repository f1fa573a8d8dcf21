import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { listOf } from '../../kit/values';
import { showsAddress } from './display';
import { isReleased } from './media';
import { isHidden } from './offer';

const words = (text: string): string[] => text.trim().split(/\s+/);
const under = (prefix: string, text: string): string[] => words(text).map((name) => `${prefix}.${name}`);
const because = (reason: string, paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, reason]));

const TRANSFER = 'financieel.overdracht';
const PARCEL = 'detail.kadaster.kadastergegevens';

const project = addressProjection({
  public: [
    ...words('id actief vertrouwelijk tijdstipLaatsteWijziging object.type.objecttype marketing.publicatiedatum'),
    ...under(
      'algemeen',
      `energieKenmerken appartementsoort woonhuissoort woonhuistype woonhuiskenmerk appartementkenmerk appartementOpenPortiek
      appartementWoonlaag appartementWoonlagenAantal onderhoudswaarderingBinnen onderhoudswaarderingBuiten isolatievormen
      dakmaterialen verwarmingsoorten warmwatersoorten cvKetelBrandstof cvKetelBouwjaar cvKetelEigendom cvKetelType cvCombiketel
      voorzieningenWonen liggingen bijzonderheden bestemmingHuidig bestemmingPermanenteBewoning bestemmingRecreatiewoning
      gebruikHuidig bouwvorm bouwjaar bouwjaartoelichting bouwperiode inAanbouw inhoud bouwgrondoppervlakte bouwgrondBouwrijp
      woonoppervlakte gebruiksoppervlakteOverig totaleWoonkameroppervlakte totaleKadestraleOppervlakte aantalKamers
      energieklasse energiedatum energieindex epc`,
    ),
    ...under(
      'detail.buitenruimte',
      `garagecapiciteit garagesoorten garagevoorzieningen garageoppervlakte garagelengte garagebreedte garageisolatievorm
      totaalAantalGarages parkeerfaciliteiten parkeercapaciteit parkeertoelichting oppervlakteGebouwgebondenBuitenruimte
      oppervlakteExterneBergruimte tuintypes tuinkwaliteit tuinTotaleOppervlakte hoofdtuintype hoofdtuinlocatie hoofdtuinlengte
      hoofdtuinbreedte hoofdtuinoppervlakte hoofdtuinAchterom daktype daktoelichting schuurBergingSoort
      schuurBergingVoorzieningen schuurBergingIsolatievormen aantalSchurenBergingen`,
    ),
    ...under('detail.etages', 'etagesoort etageomschrijving etageligging aantalSlaapkamers aantalKamers'),
    ...under('detail.etages.badkamers', 'lengte breedte oppervlakte voorzieningen'),
    ...under(
      'detail.etages.etagegegevens',
      `overigeRuimtes keukenoppervlakte keukenlengte keukenbreedte keukenjaar keukentypes woonkamertypes woonkameroppervlakte
      woonkamerlengte woonkamerbreedte trapInKamer vasteTrap kamerMogelijk`,
    ),
    ...under(
      PARCEL,
      'eigendomssoort erfpachtPerJaar erfpachtprijsvorm erfpachtduur erfpachtgever einddatum afgekochtTot',
    ),
    ...under(PARCEL, 'afkoopoptie eeuwigAfgekocht aandeel omvang oppervlakte'),
    ...under('detail.overigOnroerendGoed', 'capaciteit isolatie voorziening lengte breedte oppervlakte type'),
    ...under('media', 'soort vrijgave wijzigingstijdstip mimetype volgnummer omschrijving titel link'),
    ...under(
      TRANSFER,
      `status aanmeldingsreden koopprijs koopprijsvoorvoegsel koopconditie koopspecificatie huurprijs huurprijsvoorvoegsel
      huurconditie huurspecificaties huurbeschikbaarheid huurwaarborgsom servicekosten appartementVveBijdrage aanvaarding
      aanvaardingsdatum vveReservefonds vvePeriodiekeBijdrage vveOnderhoudsverwachting vveOpstalverzekering
      vveKvkInschrijving vveVergadering`,
    ),
    ...under('adres', 'land plaats provincie'),
    ...under('diversen.diversen', 'bedrijfscode afdelingscode objectcode invoerdatum wijzigingsdatum'),
    ...under('teksten', 'aanbiedingstekst aanbiedingstekstEngels eigenSiteTekst'),
  ],
  address: [
    ...under('adres', 'straat huisnummer.hoofdnummer huisnummer.toevoeging postcode'),
    ...under(PARCEL, 'gemeente gemeentecode sectie perceel indexnummer'),
  ],
  hiddenBecause: 'the setting publier-adresse is not set',
  private: {
    ...because('sellers, buyers, tenants and those who work for them', ['relaties']),
    ...because('the number of an employee', ['algemeen.gekoppeldeMakelaar']),
    ...because(
      'notes of a valuation',
      under('algemeen', 'onderhoudswaarderingBinnenMemo onderhoudswaarderingBuitenMemo'),
    ),
    ...because(
      'of a sale that is done, or that one side may still leave',
      under(
        TRANSFER,
        `transactieprijs transactiedatum transactietoelichting transactieprijsParkeerplaats transportdatum onderVoorbehoudVanaf
        onderVoorbehoudTot`,
      ),
    ),
    ...because('the value that the municipality taxes', under(TRANSFER, 'wozWaarde wozWaardePeildatum')),
    ...because('notes of the office', [
      `${TRANSFER}.aanvaardingstoelichting`,
      'detail.overigOnroerendGoed.toelichting',
    ]),
    ...because('of the office’s own work', [`${PARCEL}.invoerdatum`, `${PARCEL}.wijzigingsdatum`, 'marketing.website']),
    ...because('texts for print', under('teksten', 'a4Tekst flyertekst')),
    ...because(
      'of business space and of other systems',
      under(
        'diversen.diversen',
        `tiaraObjectGuid mengvorm mengvormtoelichting mengvormKoopprijsafwijking combinatieobjecttype
        combinatieobjectoppervlakte bogType bogStatus bogSituatie`,
      ),
    ),
  },
});

/** Amounts on request and media that are not released stay private. */
export function toRaw(record: JsonRecord, context: RecordContext): Record<string, unknown> {
  return project({ ...withoutHiddenAmounts(record), ...releasedMedia(record) }, context, showsAddress(record, context));
}

function releasedMedia({ media }: JsonRecord): JsonRecord {
  const all = listOf(media);
  return all.every(isReleased) ? {} : { media: all.filter(isReleased) };
}

function withoutHiddenAmounts(record: JsonRecord): JsonRecord {
  const hidden = [
    ...(isHidden(record, 'sale') ? ['koopprijs'] : []),
    ...(isHidden(record, 'rent') ? ['huurprijs'] : []),
  ];
  if (hidden.length === 0) return record;
  const financial = record['financieel'] as JsonRecord;
  const [transfer] = [financial['overdracht']].flat() as JsonRecord[];
  const shown = Object.fromEntries(Object.entries(transfer ?? {}).filter(([name]) => !hidden.includes(name)));
  return { ...record, financieel: { ...financial, overdracht: shown } };
}
