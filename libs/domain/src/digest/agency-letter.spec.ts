import { DUTY_CODES } from '../listing/law/duty-codes';
import { type AgencyDigest, composeAgencyLetter } from './agency-letter';
import { DUTIES } from './agency-words';

const DIGEST: AgencyDigest = {
  ...{ to: 'agence@exemple.example', client: 'agence-du-port', language: 'fr', listings: 1_240 },
  duties: { 'fr-georisques': 4, 'fr-dpe': 12, 'lu-passeport-energetique': 0 },
  rejected: [
    { id: 'A12', code: 'invalid_value', field: 'price' },
    { id: null, code: 'missing_id', field: null },
  ],
  rejections: 5,
};

describe('weekly letter to an agency', () => {
  it('says in French what is online, what is missing, and what to change', () => {
    expect(composeAgencyLetter(DIGEST)).toMatchInlineSnapshot(`
     {
       "subject": "Vos annonces cette semaine : 1 240 en ligne (agence-du-port)",
       "text": "Annonces en ligne : 1 240.

     Mentions que la loi exige et qui manquent :
     - Classes énergie et climat (DPE), annonces : 12. Saisissez les deux classes du DPE. Si le bien n’y est pas soumis, indiquez-le dans le logiciel.
     - Risques naturels et technologiques, annonces : 4. Indiquez que le bien est exposé à des risques, ou ajoutez au texte la phrase qui cite www.georisques.gouv.fr.

     Fiches qui ne sont pas en ligne : 5.
     - A12 (champ price) : la valeur d’un champ n’est pas valable ; corrigez-la.
     - sans identifiant : la fiche n’a pas d’identifiant ; donnez-lui une référence.
     … et 3 autres

     Corrigez ces points dans votre logiciel : la prochaine lecture les reprend.",
     }
    `);
  });

  it('lets an identifier of the feed write no line of its own', () => {
    const id = `A1\r\nBcc: x@y.example\u2028${'z'.repeat(500)}`;
    const { text } = composeAgencyLetter({ ...DIGEST, rejected: [{ id, code: 'malformed', field: null }] });
    expect(text).toContain('- A1 Bcc: x@y.example zzz');
    expect(text.split('\n').every((line) => line.length < 300)).toBe(true);
  });

  it('is in English for other languages, and short when nothing is wrong', () => {
    const { subject, text } = composeAgencyLetter({
      ...DIGEST,
      language: 'es',
      duties: {},
      rejected: [],
      rejections: 0,
    });
    expect(subject).toBe('Your listings this week: 1,240 online (agence-du-port)');
    expect(text).toBe('Listings online: 1,240.\n\nNothing to correct.');
  });

  it('has words for every duty, and shows only the code of a duty of a newer release', () => {
    expect(Object.keys(DUTIES).toSorted()).toEqual([...DUTY_CODES].toSorted());
    expect(composeAgencyLetter({ ...DIGEST, duties: { 'xx-new': 2 } }).text).toContain('- xx-new, annonces : 2');
  });
});
