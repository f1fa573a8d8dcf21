import { defineTarget } from '../../kit/define-target';
import { among, onTheMarket, oneRequired, required, textOf, when } from '../../kit/requirements';
import { settingOf } from '../../kit/settings';
import { MOST_PHOTOS, photoFiles, sendsFiles } from './attachments';
import { OFFERS } from './lookups';
import { DOCUMENT_END, documentStart, objectElement } from './mapping';

/** OpenImmo 1.2.7: a ZIP with an XML file, which always contains all objects of the agency. See README.md. */
export const target = defineTarget({
  code: 'openimmo',
  label: 'OpenImmo (XML in a ZIP)',
  transport: 'file',
  notes:
    'Portals in Germany, Austria and Switzerland accept this ZIP by FTP or SFTP. The portal gives the login and the number of the agency.',
  settings: {
    anid: 'Number of the agency (openimmo_anid). The portal replaces the objects of this number.',
    firma: 'Name of the agency, as the portal shows it.',
    version: 'Version of the format that the portal reads: 1.2.7, 1.2.7b or 1.2.7c. Default 1.2.7.',
    photos: 'Whether photos are sent as addresses or as files of the ZIP: addresses or files. Default addresses.',
    file: 'Name of the ZIP. Default openimmo.zip.',
  },
  choices: { version: ['1.2.7', '1.2.7b', '1.2.7c'], photos: ['addresses', 'files'] },
  requiredSettings: ['anid', 'firma'],
  absenceRemoves: true,
  acknowledges: false,
  maxPhotos: MOST_PHOTOS,
  required: [
    onTheMarket(),
    required('typeTransaction', 'typeCode', 'ville', 'codePostal', 'pays', 'prixCurrency'),
    among('typeTransaction', OFFERS, 'must be a sale, an investment or a rental: the format has no other offers'),
    when(({ typeTransaction }) => typeTransaction?.startsWith('location') === true, required('loyer')),
    when(
      ({ typeTransaction }) => typeTransaction?.startsWith('location') !== true,
      oneRequired('prix', 'prixSurDemande'),
    ),
    textOf('intitule'),
  ],
  // prettier-ignore
  fields: [
    'affId', 'affNum', 'intitule', 'commentaires', 'langue', 'textes', 'url', 'typeTransaction', 'typeCode', 'prix', 'prixSurDemande',
    'prixCurrency', 'loyer', 'loyerSource', 'statut', 'surfaceHabitable', 'nbrePieces', 'nbreChambres', 'ville', 'codePostal', 'pays',
    'adresse', 'quartier', 'latitude', 'longitude', 'photos', 'agenceNom', 'agenceTel', 'negoNom', 'negoEmail', 'negoTel',
    'surfaceTerrain', 'nbreSallesDeBain', 'nbreSallesEau', 'etage', 'nbreEtages', 'anneeConstruction', 'meuble', 'neuf', 'balcon',
    'terrasse', 'parking', 'ascenseur', 'piscine', 'charges', 'depotGarantie', 'honoraires', 'honorairesUnite', 'honorairesCharge',
    'coproCharges', 'energie', 'visiteVirtuelle', 'video', 'disponibilite', 'dateModification', 'region', 'prixMention',
    'prixMetreCarre', 'surfacePlage', 'surfaceUtile', 'surfaceTotale', 'surfaceBureaux', 'nbreWc', 'nbreParkings', 'parkingType',
    'chauffageType', 'chauffageEnergie', 'etat', 'exposition', 'vue', 'jardin', 'cave', 'climatisation', 'cuisineEquipee',
    'cheminee', 'accessible', 'animaux', 'loue', 'rendement', 'caracteristiques', 'disponibiliteTexte', 'plans', 'documents',
    'programmeId', 'loyerHorsCharges', 'loyerChargesComprises', 'chargesChauffage', 'commission', 'negoCarte', 'regimePropriete',
    'redevanceFonciere',
  ],
  advert: objectElement,
  document: {
    encoding: 'utf-8',
    start: documentStart,
    separator: '',
    end: () => DOCUMENT_END,
    file: (context) => ({
      kind: 'zip',
      name: settingOf(context, 'file') ?? 'openimmo.zip',
      entry: 'openimmo.xml',
      beside: {},
      ...(sendsFiles(context) && { photos: photoFiles }),
    }),
  },
});
