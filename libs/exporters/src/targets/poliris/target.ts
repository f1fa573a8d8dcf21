import { isRental } from '@passerelle/domain';
import type { ExportContext } from '../../kit/contracts';
import { defineTarget } from '../../kit/define-target';
import { among, matching, onTheMarket, oneRequired, required, textOf, when } from '../../kit/requirements';
import { choiceOf, settingOf } from '../../kit/settings';
import { DWELLINGS, OFFERS, PHOTO_RANKS } from './lookups';
import { advertLine, versionOf } from './mapping';
import { amountOf } from './offer';
import { photoFiles, sendsFiles } from './photos';

/** SeLoger / Poliris: a ZIP with `Annonces.csv`, which always contains all adverts. See README.md. */
export const target = defineTarget({
  code: 'poliris',
  label: 'SeLoger / Poliris (CSV in a ZIP)',
  country: 'FR',
  transport: 'file',
  notes:
    'Most French portals and sites accept this ZIP by FTP or SFTP. The portal gives the address and the login of the upload.',
  settings: {
    version: 'Version of the format: 4.12, 4.11 or 4.09. Default 4.12.',
    encoding: 'Encoding of the file: latin1 or utf-8. Default latin1.',
    photos: 'Whether photos are sent as addresses or as files of the ZIP: addresses or files. Default addresses.',
    agency: "The agency's identifier at the portal (rank 1), where the portal wants one.",
    file: 'Name of the ZIP, such as "software_agency.zip". Default annonces.zip.',
    beside: 'Whether Config.txt and Photos.cfg are in the ZIP: oui or non. Default oui.',
    strict: '"oui" also requires the agency fees (rank 15), as SeLoger does. Default non.',
  },
  choices: {
    version: ['4.12', '4.11', '4.09'],
    encoding: ['latin1', 'utf-8'],
    photos: ['addresses', 'files'],
    beside: ['oui', 'non'],
    strict: ['non', 'oui'],
  },
  absenceRemoves: true,
  acknowledges: false,
  maxPhotos: PHOTO_RANKS.length,
  required: [
    onTheMarket(),
    required('typeTransaction', 'typeCode', 'ville', 'codePostal'),
    among('typeTransaction', OFFERS, 'must not be an auction, a project or an unknown kind of offer'),
    among('prixCurrency', ['EUR'], 'must be EUR: the format has no other currency'),
    matching('codePostal', /^[\dA-Z]{4,5}$/i, 'must have at most five characters'),
    ({ listing }) => {
      const rental = listing.typeTransaction !== undefined && isRental(listing.typeTransaction);
      return amountOf(listing, rental) === undefined
        ? [{ field: rental ? 'loyer' : 'prix', need: 'is required: the format has no advert without a price' }]
        : [];
    },
    oneRequired('surfaceHabitable', 'surfaceTerrain'),
    when(({ typeCode }) => DWELLINGS.has(typeCode), required('nbrePieces')),
    textOf('intitule'),
    textOf('commentaires'),
    when(isStrict, oneRequired('honoraires', 'honorairesCharge')),
  ],
  // prettier-ignore
  fields: [
    'affId', 'affNum', 'intitule', 'commentaires', 'langue', 'textes', 'typeTransaction', 'typeCode', 'prix', 'loyer', 'loyerSource',
    'surfaceHabitable', 'nbrePieces', 'nbreChambres', 'ville', 'codePostal', 'pays', 'adresse', 'quartier', 'latitude', 'longitude',
    'photos', 'agenceNom', 'agenceTel', 'negoNom', 'negoEmail', 'negoTel', 'surfaceTerrain', 'nbreSallesDeBain', 'nbreSallesEau',
    'etage', 'nbreEtages', 'anneeConstruction', 'meuble', 'exclusivite', 'balcon', 'terrasse', 'parking', 'ascenseur', 'piscine',
    'charges', 'depotGarantie', 'honoraires', 'honorairesUnite', 'honorairesCharge', 'honorairesEtatDesLieux', 'honorairesBareme',
    'prixHorsHonoraires', 'bouquet', 'rente', 'chargesModalite', 'loyerBase', 'loyerComplement', 'loyerReferenceMajore',
    'loyerEncadrement', 'mandatNum', 'copropriete', 'coproLots', 'coproCharges', 'coproProcedure', 'energie', 'dpeClasse',
    'dpeValeur', 'gesClasse', 'gesValeur', 'dpeDate', 'dpeVersion', 'dpeCoutMin', 'dpeCoutMax', 'dpeAnneeReference',
    'dpeEnergieFinale', 'visiteVirtuelle', 'disponibilite', 'prixMention', 'nbreWc', 'nbreParkings', 'parkingType',
    'chauffageType', 'chauffageEnergie', 'etat', 'exposition', 'vue', 'cave', 'climatisation', 'cuisineEquipee', 'cheminee',
    'accessible', 'animaux', 'caracteristiques', 'disponibiliteTexte', 'loyerHorsCharges', 'loyerChargesComprises',
  ],
  advert: advertLine,
  document: {
    encoding: 'latin1',
    encodingIn: (context) => choiceOf(context, 'encoding', ['latin1', 'utf-8']),
    start: () => '',
    separator: '',
    end: () => '',
    file: (context) => ({
      kind: 'zip',
      name: settingOf(context, 'file') ?? 'annonces.zip',
      entry: 'Annonces.csv',
      beside: choiceOf(context, 'beside', ['oui', 'non']) === 'oui' ? besideOf(context) : {},
      ...(sendsFiles(context) && { photos: photoFiles }),
    }),
  },
});

function isStrict(_listing: unknown, context: ExportContext): boolean {
  return choiceOf(context, 'strict', ['non', 'oui']) === 'oui';
}

function besideOf(context: ExportContext): Record<string, string> {
  return {
    'Config.txt': `Version=${versionOf(context)}\r\nApplication=Passerelle / 1\r\nDevise=Euro\r\n`,
    'Photos.cfg': `Mode=${sendsFiles(context) ? 'FULL' : 'URL'}\r\n`,
  };
}
