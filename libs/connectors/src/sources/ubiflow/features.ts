import type { XmlRecord } from '../../formats/xml-records';
import { features, inWords, namesOfYes, yesInWords } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf } from '../../kit/values';
import * as v from '../../kit/verbs';

/** Flags without a listing field, by their names in `bien`. */
const FLAGS: Readonly<Record<string, string>> = {
  ...{
    alarme_habitation: 'Alarme',
    interphone: 'Interphone',
    videophone: 'Vidéophone',
    porte_blindee: 'Porte blindée',
  },
  ...{ gardien: 'Gardien', concierge: 'Concierge', fibre_optique: 'Fibre optique', buanderie: 'Buanderie' },
  ...{ dressing: 'Dressing', grenier: 'Grenier', dependances: 'Dépendances', veranda: 'Véranda', loggia: 'Loggia' },
  ...{ duplex: 'Duplex', triplex: 'Triplex', plain_pied: 'Plain-pied', dernier_etage: 'Dernier étage' },
  ...{ jacuzzi: 'Jacuzzi', sauna: 'Sauna', hammam: 'Hammam', tennis: 'Tennis', cave_a_vin: 'Cave à vin' },
  ...{ est_calme: 'Calme', constructible: 'Constructible', viabilise: 'Viabilisé', terrain_divisible: 'Divisible' },
  ...{ cloture: 'Clôturé', salle_a_manger: 'Salle à manger', fumeurs_acceptes: 'Fumeurs acceptés' },
  ...{ colocation_acceptee: 'Colocation acceptée', proche_commerces: 'Proche commerces', proche_gare: 'Proche gare' },
  ...{ proche_ecole_primaire: 'Proche école primaire', proche_metro: 'Proche métro', proche_bus: 'Proche bus' },
  ...{ proche_plage: 'Proche plage', proche_centre_ville: 'Proche centre-ville' },
};

const ADVANTAGES = 'bien.atouts';
const flags = namesOfYes(inBien(FLAGS));
const advantagesAt = compilePath(ADVANTAGES);

/** The flags, and the advantages that the agency wrote. */
export const FEATURES = features<XmlRecord>(
  (record) => [...flags(record), ...listOf(advantagesAt(record))],
  ADVANTAGES,
  ...Object.keys(inBien(FLAGS)),
);

export const VIEW = v.first(
  inWords('bien.vue_generale'),
  yesInWords(inBien({ vue_sur_mer: 'vue sur mer', vue_sur_montagne: 'vue sur montagne', belle_vue: 'belle vue' })),
);
export const CONDITION = v.first(
  inWords('bien.etat_general', 'bien.etat_interieur'),
  yesInWords(inBien({ renove: 'rénové', recent: 'récent', travaux_en_cours: 'travaux en cours' })),
);

const counted = v.integer('bien.nombre_stationnement');
const spaces = v.firstOf(v.integer, 'bien.nb_parkings', 'bien.places_parking');
const garages = v.integer('bien.nb_garages');

export function parkingSpacesOf(record: XmlRecord, context: RecordContext): number | undefined {
  const all = counted.read(record, context);
  if (all !== undefined) return all;
  const sum = (spaces.read(record, context) ?? 0) + (garages.read(record, context) ?? 0);
  return sum === 0 ? undefined : sum;
}

function inBien(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([name, word]) => [`bien.${name}`, word]));
}
