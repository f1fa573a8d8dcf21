import { join } from 'node:path';
import { describeTarget } from '../../../../../test/support/targets/describe-target';
import { propertyCode } from './mapping';
import { target } from './target';

describeTarget(target, {
  fixturesDir: join(__dirname, '__fixtures__'),
  placement: { settings: { code: 'ilc0000' } },
  idOf: ({ advertId }) => propertyCode(advertId),
  read(document) {
    const { customerProperties: properties } = JSON.parse(document.toString('utf8')) as {
      customerProperties: { propertyCode: string }[];
    };
    return properties.map((property) => property.propertyCode);
  },
  onlyWith: {
    nbreSallesEau: { nbreSallesDeBain: undefined },
    depotGarantie: { typeTransaction: 'location', loyer: 500, depotGarantie: 1000 },
    energie: { energie: [{ pays: 'ES', echelle: 'ES-CEE', grandeur: 'energie-primaire', classe: 'D' }] },
    nbreParkings: { typeCode: 'bureau' },
    loue: { typeCode: 'immeuble' },
    caracteristiques: { caracteristiques: ['Placards'] },
    etat: { etat: 'Bon état' },
  },
});
