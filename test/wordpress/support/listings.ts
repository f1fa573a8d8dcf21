import type { Listing } from '@passerelle/domain';
import type { Simulator } from '../../../tools/simulator/simulator';

/** Listings of a French agency, with the simulator's photos and everything that the law requires. */
export function frenchListings(simulator: Simulator): (Partial<Listing> & { affId: string })[] {
  return simulator.portfolios.kyero.properties.map((property, at) => ({
    affId: String(property.id),
    affNum: property.reference,
    intitule: property.title,
    commentaires: property.text.join('\n'),
    textes: { en: { intitule: `In English: ${property.title}` } },
    typeTransaction: property.offer,
    typeCode: property.kind,
    ville: property.town.name,
    codePostal: property.town.postcode,
    pays: 'FR',
    ...(property.price !== null &&
      (property.offer === 'location' ? { loyer: property.price } : { prix: property.price })),
    ...(property.offer === 'location' ? { charges: 60, depotGarantie: 900 } : { prixHorsHonoraires: 200_000 }),
    prixCurrency: 'EUR',
    surfaceHabitable: 40 + at * 3.5,
    nbrePieces: 2 + (at % 5),
    nbreChambres: 1 + (at % 4),
    etage: at % 6,
    nbreEtages: 6,
    anneeConstruction: 1930 + at,
    ascenseur: at % 2 === 0,
    terrasse: true,
    ...(property.energy !== null && {
      ...{ dpeClasse: property.energy.classe, gesClasse: property.energy.gesClasse, dpeValeur: 180, gesValeur: 12 },
      ...{ dpeDate: '2024-03-05', dpeCoutMin: 900, dpeCoutMax: 1280, dpeAnneeReference: '2023' },
    }),
    ...{
      honoraires: 4,
      honorairesUnite: 'pourcentage',
      honorairesCharge: property.offer === 'location' ? 'locataire' : 'acquereur',
    },
    ...{ copropriete: true, coproLots: 24, coproCharges: 1450, coproProcedure: false, taxeFonciere: 980 },
    ...{ mandatNum: `M-${property.id}`, agenceNom: 'Agence du Port', agenceTel: '+33 5 55 00 00 00' },
    ...{ negoNom: property.negotiator.name, negoEmail: property.negotiator.email },
    visiteVirtuelle: 'https://tour.example/1',
    photos: simulator.photoUrls('kyero', property).map((url, place) => ({
      url,
      empreinte: `${property.id}${place}`.padStart(16, '0'),
      largeur: 800,
      hauteur: 600,
      ...(place === 0 && { legende: 'Façade' }),
    })),
  }));
}
