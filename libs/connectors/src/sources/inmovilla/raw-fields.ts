import type { XmlRecord } from '../../formats/xml-records';
import type { RecordContext } from '../../kit/contracts';
import { rawProjection } from '../../kit/raw-projection';
import { FEATURES } from './features';
import { MOST_LANGUAGES } from './lookups';
import { MOST_PHOTOS } from './media';
import { isOnRequest } from './offer';

const upTo = (count: number): number[] => Array.from({ length: count + 1 }, (_, index) => index);
const VIDEOS = 10;
const PANORAMAS = 20;

const project = rawProjection({
  public: [
    ...['id', 'ref', 'numagencia', 'agencia', 'accion', 'tipo_ofer', 'fecha', 'fechaact', 'fechamod', 'estadoficha'],
    ...['precioinmo', 'precioalq', 'preciotraspaso', 'outlet', 'tipomensual', 'aconsultar', 'porceniva'],
    ...['gastos_com', 'tgascom', 'comunidadincluida', 'ibi', 'ciudad', 'zona', 'provincia', 'cp', 'latitud', 'altitud'],
    ...['m_cons', 'm_uties', 'm_utiles', 'm_parcela', 'm_terraza', 'm_cocina', 'm_comedor', 'm_sotano', 'm_altillo'],
    ...['m_fachada', 'altillo', 'alturatecho', 'habitaciones', 'habdobles', 'total_hab', 'banyos', 'aseos', 'salon'],
    ...['planta', 'numplanta', 'antiguedad', 'conservacion', 'orientacion', 'exclu', 'destacado', 'distmar', 'tipovpo'],
    ...['parking', 'plaza_gara', 'nplazasparking', 'calefaccion', 'keycalefa', 'electro', 'cocina_inde', 'todoext'],
    ...['nodisponible', 'prospecto', 'numfotos', 'fotoletra', 'tour', 'eninternet', 'x_entorno', 'keypromo'],
    ...['keyori', 'keyvista', 'keyagua', 'keysuelo', 'keytecho', 'keyfachada', 'keycarpin', 'keycarpinext'],
    ...['keyelectricidad', 'key_loca', 'key_zona', 'key_tipo', 'keyacci'],
    ...['energialetra', 'energiavalor', 'emisionesletra', 'emisionesvalor', 'energiarecibido', 'refcertificado'],
    ...['fecha_caducidad', 'agente', 'email_agente', 'prefijo_tlf_agente', 'tlf_agente', 'emailagencia', 'web'],
    ...['tinterior', 'tfachada', ...Object.keys(FEATURES)],
    ...upTo(MOST_LANGUAGES).flatMap((number) => [`titulo${number}`, `descrip${number}`]),
    ...upTo(MOST_PHOTOS).flatMap((number) => [`foto${number}`, `foto${number}.@eti`]),
    ...upTo(PANORAMAS).map((number) => `panoramica${number}`),
    ...['videos', 'videos.tour', 'videos.video360', ...upTo(VIDEOS).map((number) => `videos.video${number}`)],
  ],
  private: {
    precio: 'the owner’s net price: the price to the public is precioinmo',
    precioiva: 'a part of a price for the agency',
    comision: 'the income of the agency',
    cesioncom: 'the income of the agency',
    calle: 'the format does not say whether the address may be known',
    keycalle: 'the format does not say whether the address may be known',
    numero: 'the format does not say whether the address may be known',
    escalera: 'the format does not say whether the address may be known',
    puerta: 'the format does not say whether the address may be known',
    direccion: 'the format does not say whether the address may be known',
    rcatastral: 'the parcel leads to the door and to the owner',
    rdirfinca: 'the parcel leads to the door and to the owner',
    keycli: 'the owner',
    nombre: 'the owner',
    apellidos: 'the owner',
    propietario: 'the owner',
    telefono: 'nothing says whose it is',
    telefono1: 'the owner',
    email: 'nothing says whose it is',
    captadopor: 'for the agency alone',
    keyagente: 'for the agency alone',
    contactadopor: 'for the agency alone',
    numllave: 'where the keys are',
    observaciones: 'for the agency alone',
    entidadbancaria: 'for the agency alone',
    urlprospecto: 'where the agency found it',
    foto_agente: 'the picture of a person',
  },
});
const AMOUNTS: ReadonlySet<string> = new Set(['precioinmo', 'precioalq', 'preciotraspaso', 'outlet']);

/** Amounts on request stay private. */
export function toRaw(record: XmlRecord, context: RecordContext): Record<string, unknown> {
  const shown = isOnRequest(record)
    ? Object.fromEntries(Object.entries(record).filter(([name]) => !AMOUNTS.has(name)))
    : record;
  return project(shown, context);
}
