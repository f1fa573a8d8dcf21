import { polirisRows } from '../../formats/poliris-rows';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { holdsAnnonces, named } from './archive';
import { agencyOf } from './identity';
import { PRIVATE_RANKS } from './lookups';
import { MAPPING, showsAddress } from './mapping';

/** SeLoger / Poliris: a ZIP with `Annonces.csv`, all listings each time. See README.md. */
export const connector = defineConnector({
  code: 'poliris',
  label: 'SeLoger / Poliris (CSV in a ZIP)',
  type: 'zip',
  version: 2,
  notes:
    'Source: the ZIP that the CRM drops in the inbox or serves over HTTP(S), with Annonces.csv in it; a bare CSV works too.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    'agence-nom': 'Name of the agency, which the format does not hold: agenceNom of every listing.',
    'agence-noms': 'For files of several agencies: "ID=Name; ID=Name", by the identifier of rank 1.',
    pays: 'Country of listings whose rank 7 is empty. Default FR.',
    devise: 'Currency when the archive has no Config.txt that says it. Default EUR.',
    'publier-adresse': '"non" keeps rank 8, the address, from leaving. Default oui.',
  },
  fetch: documentFetch(),
  open: {
    container: 'zip-or-plain',
    holdsRecords: holdsAnnonces,
    sidecars: { config: named('config.txt') },
  },
  format: polirisRows({
    private: PRIVATE_RANKS,
    privateWhen: (rank, context) => rank === 8 && !showsAddress(context),
  }),
  map: toListing(MAPPING, { scope: agencyOf }),
});
