import type { XmlRecord } from '../../formats/xml-records';
import { toYear } from '../../kit/clean/number';
import { features, namesOfYes, range } from '../../kit/collections';
import { compilePath, scalarOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { wordTable } from '../../kit/word-table';
import { FIGURES } from './offer';

/** Flags of the service without a field of their own. */
const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    ...{ HasAttick: 'Grenier', HasAlarm: 'Alarme', HasIntercom: 'Interphone', HasVideoPhone: 'Vidéophone' },
    ...{ HasVentilation: 'Ventilation', HasSolarPanels: 'Panneaux solaires', HasSolarBoiler: 'Chauffe-eau solaire' },
    ...{ HasJacuzzi: 'Jacuzzi', HasSauna: 'Sauna', HasSteamCabin: 'Hammam', HasDomotica: 'Domotique' },
    ...{ HasArmoredDoor: 'Porte blindée', HasRollerBlinds: 'Volets roulants', HasUtilityRoom: 'Buanderie' },
    ...{ HasDiningRoom: 'Salle à manger', HasOffice: 'Bureau', HasProfessionRoom: 'Local pour profession libérale' },
    ...{ HasGreenHouse: 'Serre', HasShowroom: 'Showroom', HasStock: 'Entrepôt', HasBuiltInLights: 'Spots encastrés' },
    ...{ HasElectricityConnect: 'Électricité', HasGasConnect: 'Gaz de ville', HasWaterConnect: 'Eau de ville' },
    ...{ HasSewerConnect: 'Égouts', HasInternetConnect: 'Internet', HasFiberConnect: 'Fibre optique' },
    ...{ IsProtected: 'Bien classé', IsMonumentsAct: 'Monument protégé', RenovationDuty: 'Obligation de rénovation' },
    ...{ HasAsbestus: 'Amiante', HasGroundPollution: 'Sol pollué' },
  }).map(([name, french]) => [`Property.${name}`, french]),
);
const said = namesOfYes(NAMES);
const renovatedAt = compilePath('Property.RenovationYear');

export const FEATURES: v.Verb<XmlRecord, string[]> = features<XmlRecord>(
  (record) => {
    const renovated = toYear(scalarOf(renovatedAt(record)));
    return [...said(record), ...(renovated === undefined ? [] : [`Rénové en ${renovated}`])];
  },
  'Property.RenovationYear',
  ...Object.keys(NAMES),
);

const UNITS = wordTable<'m2'>({ M_2: 'm2' });
const area = (name: string): v.Verb<XmlRecord, number> =>
  v.area(`Property.Project.${name}`, v.unit(UNITS, `Property.Project.${name}.@Unit`), FIGURES);

/** The areas of the units of a project. */
export const UNIT_AREAS = range(area('HabitableAreaMin'), area('HabitableAreaMax'));
