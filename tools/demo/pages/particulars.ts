import type { Listing } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import { inDays, inFigures, inMoney, rentOf } from '../labels';
import { isFrench } from './energy';

type Row = [name: string, value: Content];

const PAYER_WORDS = {
  acquereur: 'à la charge de l’acquéreur',
  vendeur: 'à la charge du vendeur',
  'acquereur-et-vendeur': 'à la charge de l’acquéreur et du vendeur',
  locataire: 'à la charge du locataire',
} as const;

/** Every fact that the law or a visitor needs, by subject; empty subjects are left out. */
export function particulars(listing: Listing): Html {
  const sections: [title: string, rows: Row[]][] = [
    ['Le bien', building(listing)],
    ['Prix et honoraires', prices(listing)],
    ['Copropriété', coOwnership(listing)],
    ['Diagnostics', isFrench(listing) ? certificates(listing) : []],
    ['Mandat et annonce', mandate(listing)],
  ];
  return html`${sections.map(([title, rows]) => (rows.length === 0 ? null : section(title, rows)))}`;
}

function section(title: string, rows: readonly Row[]): Html {
  return html`<section class="particulars">
    <h2>${title}</h2>
    <dl>
      ${rows.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function building(listing: Listing): Row[] {
  return known([
    ['Surface habitable', area(listing.surfaceHabitable)],
    ['Surface Carrez', area(listing.surfaceCarrez)],
    ['Terrain', area(listing.surfaceTerrain)],
    ['Pièces', figure(listing.nbrePieces)],
    ['Chambres', figure(listing.nbreChambres)],
    ['Salles de bain', figure(listing.nbreSallesDeBain)],
    ['Salles d’eau', figure(listing.nbreSallesEau)],
    ['Étage', floorOf(listing)],
    ['Construction', listing.anneeConstruction === undefined ? undefined : String(listing.anneeConstruction)],
    ['Neuf', flag(listing.neuf)],
    ['Meublé', flag(listing.meuble)],
    ['Ascenseur', flag(listing.ascenseur)],
    ['Balcon', flag(listing.balcon)],
    ['Terrasse', flag(listing.terrasse)],
    ['Piscine', flag(listing.piscine)],
    ['Stationnement', flag(listing.parking)],
    ['Disponible', day(listing.disponibilite)],
    ['Quartier', listing.quartier],
    ['Adresse', listing.adresse],
    ['Visite virtuelle', link(listing.visiteVirtuelle, 'Ouvrir la visite')],
    ['Vidéo', link(listing.video, 'Voir la vidéo')],
  ]);
}

function prices(listing: Listing): Row[] {
  const { prixCurrency: currency } = listing;
  const money = (amount: number | undefined, per = ''): string | undefined =>
    amount === undefined ? undefined : `${inMoney(amount, currency)}${per}`;
  return known([
    ['Prix de vente', money(listing.prix)],
    ['Prix hors honoraires', money(listing.prixHorsHonoraires)],
    ['Bouquet', money(listing.bouquet)],
    ['Rente', money(listing.rente, ' / mois')],
    ['Loyer', rentOf(listing)],
    ['Loyer de base', money(listing.loyerBase, ' / mois')],
    ['Complément de loyer', money(listing.loyerComplement, ' / mois')],
    ['Loyer de référence majoré', money(listing.loyerReferenceMajore, ' / mois')],
    ['Encadrement des loyers', flag(listing.loyerEncadrement)],
    ['Charges', money(listing.charges, ' / mois')],
    ['Modalité des charges', listing.chargesModalite],
    ['Dépôt de garantie', money(listing.depotGarantie)],
    ['Honoraires', feesOf(listing)],
    ['dont état des lieux', money(listing.honorairesEtatDesLieux)],
    ['Barème des honoraires', link(listing.honorairesBareme, 'Consulter le barème')],
    ['Taxe foncière', money(listing.taxeFonciere, ' / an')],
  ]);
}

function coOwnership({ copropriete, coproLots, coproCharges, coproProcedure, prixCurrency }: Listing): Row[] {
  return known([
    ['Bien en copropriété', flag(copropriete)],
    ['Lots', figure(coproLots)],
    ['Charges annuelles', coproCharges === undefined ? undefined : inMoney(coproCharges, prixCurrency)],
    ['Procédure en cours', flag(coproProcedure)],
  ]);
}

function certificates(listing: Listing): Row[] {
  const { dpeCoutMin, dpeCoutMax, dpeEnergieFinale, prixCurrency } = listing;
  const costs = [dpeCoutMin, dpeCoutMax]
    .filter((cost) => cost !== undefined)
    .map((cost) => inMoney(cost, prixCurrency));
  return known([
    ['Date du DPE', day(listing.dpeDate)],
    ['Méthode du DPE', listing.dpeVersion],
    ['Énergie finale', dpeEnergieFinale === undefined ? undefined : `${inFigures(dpeEnergieFinale)} kWh/m²/an`],
    ['Coûts annuels d’énergie', costs.length === 0 ? undefined : costs.join(' à ')],
    ['Prix de l’énergie de', listing.dpeAnneeReference],
  ]);
}

function mandate(listing: Listing): Row[] {
  return known([
    ['Référence', listing.affNum],
    ['Mandat n°', listing.mandatNum],
    ['Type de mandat', listing.mandatType],
    ['Exclusivité', flag(listing.exclusivite)],
    ['Sous offre', flag(listing.sousOffre)],
    ['Créée le', day(listing.dateCreation)],
    ['Modifiée le', day(listing.dateModification)],
    ['Page de l’annonce', link(listing.url, 'Voir chez l’agence')],
  ]);
}

function feesOf({ honoraires, honorairesUnite, honorairesCharge, prixCurrency }: Listing): string | undefined {
  const payer = honorairesCharge === undefined ? undefined : PAYER_WORDS[honorairesCharge];
  if (honoraires === undefined) return payer;
  const value =
    honorairesUnite === 'pourcentage' ? `${inFigures(honoraires)} % TTC` : `${inMoney(honoraires, prixCurrency)} TTC`;
  return payer === undefined ? value : `${value} ${payer}`;
}

function floorOf({ etage, nbreEtages }: Listing): string | undefined {
  if (etage === undefined) return undefined;
  const floor = etage === 0 ? 'rez-de-chaussée' : inFigures(etage);
  return nbreEtages === undefined ? floor : `${floor} sur ${inFigures(nbreEtages)}`;
}

function known(rows: readonly [name: string, value: Content | undefined][]): Row[] {
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] satisfies Row]));
}

function area(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${inFigures(value)} m²`;
}

function figure(value: number | undefined): string | undefined {
  return value === undefined ? undefined : inFigures(value);
}

function flag(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? 'Oui' : 'Non';
}

function day(iso: string | undefined): string | undefined {
  return iso === undefined ? undefined : inDays(iso);
}

/** Only what leads to a web page: an address comes from a feed. */
function link(address: string | undefined, text: string): Html | undefined {
  if (address === undefined || !/^https?:\/\//i.test(address)) return undefined;
  return html`<a href="${address}" rel="noopener noreferrer nofollow">${text}</a>`;
}
