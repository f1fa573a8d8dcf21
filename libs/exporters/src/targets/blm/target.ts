import { defineTarget } from '../../kit/define-target';
import { among, matching, onTheMarket, oneRequired, required, textOf, when } from '../../kit/requirements';
import { MOST_PHOTOS, OFFERS } from './lookups';
import { branchOf, DOCUMENT_END, documentStart, photoFiles, propertyRow, sendsFiles } from './mapping';

/** Rightmove BLM, version 3: a ZIP with a `.blm` file that always contains all properties. See README.md. */
export const target = defineTarget({
  code: 'blm',
  label: 'Rightmove BLM (ZIP)',
  country: 'GB',
  transport: 'file',
  notes: 'British portals accept this ZIP by FTP. The portal gives the login and the number of the branch.',
  settings: {
    branch: 'Number of the branch at the portal (BRANCH_ID).',
    photos: 'Whether photos are sent as addresses or as files of the ZIP: addresses or files. Default addresses.',
  },
  choices: { photos: ['addresses', 'files'] },
  requiredSettings: ['branch'],
  absenceRemoves: true,
  acknowledges: false,
  maxPhotos: MOST_PHOTOS,
  required: [
    onTheMarket(),
    required('typeTransaction', 'typeCode', 'ville', 'codePostal'),
    among('typeTransaction', OFFERS, 'must be a sale, a letting or a business: the format has no other offers'),
    among('pays', ['GB'], 'must be GB: version 3 is for British properties'),
    among('prixCurrency', ['GBP'], 'must be GBP: the format names no currency'),
    matching('codePostal', /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/, 'must be a whole British postcode'),
    when(
      ({ typeTransaction }) => typeTransaction?.startsWith('location') === true,
      oneRequired('loyer', 'prixSurDemande'),
    ),
    when(
      ({ typeTransaction }) => typeTransaction?.startsWith('location') !== true,
      oneRequired('prix', 'prixSurDemande'),
    ),
    textOf('commentaires'),
  ],
  // prettier-ignore
  fields: [
    'affId', 'commentaires', 'langue', 'textes', 'typeTransaction', 'typeCode', 'prix', 'prixSurDemande', 'loyer', 'loyerSource',
    'statut', 'surfaceHabitable', 'nbrePieces', 'nbreChambres', 'ville', 'codePostal', 'adresse', 'quartier', 'latitude', 'longitude',
    'photos', 'surfaceTerrain', 'nbreSallesDeBain', 'nbreSallesEau', 'meuble', 'neuf', 'depotGarantie', 'coproCharges',
    'visiteVirtuelle', 'video', 'disponibilite', 'dateCreation', 'dateModification', 'prixMention', 'caracteristiques',
    'disponibiliteTexte', 'plans', 'documents', 'programmeNom', 'bandeCouncilTax', 'regimePropriete', 'bailAnnees',
    'redevanceFonciere', 'partAchetee', 'chargesService',
  ],
  advert: propertyRow,
  document: {
    encoding: 'latin1',
    start: documentStart,
    separator: '',
    end: () => DOCUMENT_END,
    file: (context) => ({
      kind: 'zip',
      // The names of files of the format end with the hour.
      name: `${branchOf(context)}_${new Date(context.publishedAtMs).toISOString().replace(/\D/g, '').slice(0, 10)}.zip`,
      entry: `${branchOf(context)}.blm`,
      beside: {},
      ...(sendsFiles(context) && { photos: photoFiles }),
    }),
  },
});
