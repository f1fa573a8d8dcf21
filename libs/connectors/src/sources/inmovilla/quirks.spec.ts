import type { Listing } from '@passerelle/domain';
import { archiveOf, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

const BASE = '<id>7</id><ref>R7</ref><tipo_ofer>Piso</tipo_ofer><ciudad>Fictiva</ciudad>';

function feed(...records: readonly string[]): string {
  const all = records.map((record) => `<propiedad>${record}</propiedad>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><propiedades>${all}</propiedades>`;
}

async function read(inside: string, settings = {}): Promise<{ listings: Listing[]; warnings: string[] }> {
  return readDropped(connector, feed(BASE + inside), settings);
}

const idsAndOffers = (listings: readonly Listing[]): unknown[] =>
  listings.map(({ affId, typeTransaction, prix, loyer }) => [affId, typeTransaction, prix ?? loyer]);

const BOTH = '<precioinmo>200000</precioinmo><precioalq>900</precioalq><preciotraspaso>30000</preciotraspaso>';
const SALE = ['7', 'vente', 200_000];
const LET = ['7-location', 'location', 900];
const HANDED_ON = ['7-cession-de-bail', 'cession-de-bail', 30_000];

describe('Inmovilla offers from accion', () => {
  it.each<[string, unknown[]]>([
    ['Vender', [SALE]],
    ['Alquilar', [LET]],
    ['Traspaso', [HANDED_ON]],
    ['Vender o Alquilar', [SALE, LET]],
    ['vender O alquilar', [SALE, LET]],
    ['Alquilar o Vender', [SALE, LET]],
    ['<![CDATA[ Vender o Alquilar ]]>', [SALE, LET]],
    ['Vender/Alquilar', [SALE, LET]],
    ['Vender o Traspasar', [SALE, HANDED_ON]],
    ['Vender, Alquilar o Traspasar', [SALE, LET, HANDED_ON]],
    ['Alquilar y Traspasar', [LET, HANDED_ON]],
  ])('are read from %s', async (accion, expected) => {
    const { listings, warnings } = await read(`<accion>${accion}</accion>${BOTH}`);
    expect([idsAndOffers(listings), warnings]).toEqual([expected, []]);
  });

  it('are read when the element has an attribute and a prefix', async () => {
    const { listings } = await read(`<x:accion xmlns:x="urn:x" n="4">Vender o Alquilar</x:accion>${BOTH}`);
    expect(idsAndOffers(listings)).toEqual([SALE, LET]);
  });

  it('are the sale, with a warning, when the other word is unknown', async () => {
    const { listings, warnings } = await read(`<accion>Vender o Permutar</accion>${BOTH}`);
    expect([idsAndOffers(listings), warnings]).toEqual([[SALE], ['unknown_word accion Permutar ×1']]);
  });

  it.each(['Vender', 'Vender o Alquilar', 'Alquilar'])('keep their ids when the record says %s', async (word) => {
    const { listings } = await read(`<accion>${word}</accion>${BOTH}`);
    for (const { affId, typeTransaction } of listings)
      expect(affId).toBe(typeTransaction === 'vente' ? '7' : '7-location');
  });

  it('have separate hashes when two records with one id have different dates', async () => {
    const { hashes, summary } = await readDropped(
      connector,
      feed(
        ...['2024-01-01 10:00:00', '2024-01-02 10:00:00'].map(
          (at) => `${BASE}<accion>Vender o Alquilar</accion>${BOTH}<fechaact>${at}</fechaact>`,
        ),
      ),
    );
    expect([new Set(hashes).size, summary.records]).toEqual([4, 4]);
  });
});

describe('Inmovilla position', () => {
  it('takes its longitude from altitud', async () => {
    const { listings } = await read('<latitud>38.34</latitud><altitud>-0.48</altitud>');
    expect(listings[0]).toMatchObject({ latitude: 38.34, longitude: -0.48 });
  });

  it('is absent when altitud is really an altitude', async () => {
    const { listings, warnings } = await read('<latitud>38.34</latitud><altitud>650</altitud>');
    expect(listings[0]).not.toHaveProperty('longitude');
    expect(warnings).toEqual(['implausible_value latitud 38.34, 650 ×1']);
  });
});

describe('Inmovilla rent', () => {
  it.each<[string, object, string[]]>([
    ['MES', { loyer: 600 }, []],
    ['', { loyer: 600 }, []],
    ['SEM', { loyer: 2600, loyerPeriode: 'semaine' }, []],
    ['QUI', { loyer: 1300, loyerPeriode: 'quinzaine' }, []],
    ['DIA', { loyer: 18_250, loyerPeriode: 'jour' }, []],
    ['FIN', { prixSurDemande: true }, ['implausible_value tipomensual FIN ×1']],
  ])('with the period "%s" is %j', async (period, expected, noticed) => {
    const { listings, warnings } = await read(
      `<accion>Alquilar</accion><precioalq>600</precioalq><tipomensual>${period}</tipomensual>`,
    );
    expect(listings[0]).toMatchObject(expected);
    expect(listings[0]?.loyer).toBe((expected as Partial<Listing>).loyer);
    expect(warnings).toEqual(noticed);
  });
});

describe('Inmovilla energy certificate', () => {
  const letters = 'energialetra emisionesletra energiarecibido'.split(' ');
  it.each<[string, string, string, unknown]>([
    [
      'D',
      'C',
      '1',
      [
        ['D', undefined],
        ['C', undefined],
      ],
    ],
    ['D', '', '1', [['D', undefined]]],
    ['tramites', 'G', '0', [[undefined, 'en-cours']]],
    ['D', 'G', '2', [[undefined, 'en-cours']]],
    ['', 'G', '3', [[undefined, 'non-soumis']]],
    ['', 'G', '0', undefined],
    ['0', 'G', '0', undefined],
  ])('is read from the letters "%s" and "%s" with the state %s', async (usage, emissions, state, expected) => {
    const inside = [usage, emissions, state].map((value, index) => `<${letters[index]}>${value}</${letters[index]}>`);
    const { listings, warnings } = await read(inside.join(''));
    expect(listings[0]?.energie?.map(({ classe, statut }) => [classe, statut])).toEqual(expected);
    expect(warnings).toEqual([]);
  });

  it('is on the scale of the country in the settings', async () => {
    const { listings } = await read('<energialetra>A+</energialetra><emisionesletra>B</emisionesletra>', {
      pays: 'PT',
    });
    expect(listings[0]?.energie).toEqual([
      { pays: 'PT', echelle: 'PT-SCE', grandeur: 'energie-primaire', classe: 'A+' },
    ]);
    const spanish = await read('<energialetra>A+</energialetra>');
    expect([spanish.listings[0]?.energie, spanish.warnings]).toEqual([undefined, ['unknown_word energialetra A+ ×1']]);
  });
});

it('Inmovilla connector reads tildes in a text as line breaks, and removes them at its end', async () => {
  const { listings } = await read('<descrip1><![CDATA[Uno.~Dos.~~Tres.~ ~]]></descrip1>');
  expect(listings[0]?.commentaires).toBe('Uno.\nDos.\n\nTres.');
});

it.each<[string, string[], string[]]>([
  ['<foto2>https://p.example/2.jpg</foto2><foto1 eti="salón">https://p.example/1.jpg</foto1>', ['salón', ''], []],
  ['<foto60>https://p.example/60.jpg</foto60><foto3/>', [''], []],
  ['<foto1 eti="Planos">https://p.example/plan.jpg</foto1>', [], []],
  ['<foto1>PLAN.JPG</foto1>', [], ['photo_missing foto1 PLAN.JPG ×1']],
])(
  'Inmovilla connector reads from the pictures %s the photos with the captions %j',
  async (inside, captions, noticed) => {
    const { listings, warnings } = await read(inside);
    expect(listings[0]?.photos.map(({ legende = '' }) => legende)).toEqual(captions);
    expect(warnings).toEqual(noticed);
  },
);

it('Inmovilla connector decides by the URL whether it is a film or a tour', async () => {
  const { listings } = await read(
    '<videos><video1>https://my.tour.example/x</video1><video2>https://vimeo.com/1</video2></videos>',
  );
  expect(listings[0]).toMatchObject({ visiteVirtuelle: 'https://my.tour.example/x', video: 'https://vimeo.com/1' });
});

it.each<[string, number | undefined, number | undefined]>([
  ['<m_cons>85.50</m_cons>', 85.5, undefined],
  ['<m_cons>110.00</m_cons><m_uties>0.00</m_uties>', 110, undefined],
  ['<m_cons>110.00</m_cons><m_uties>95.50</m_uties>', 95.5, undefined],
  ['<m_cons>0.00</m_cons><m_parcela>1200.00</m_parcela>', undefined, 1200],
])('Inmovilla connector reads the areas of %s as %s m² and %s m² of land', async (inside, living, land) => {
  const { listings } = await read(inside);
  expect([listings[0]?.surfaceHabitable, listings[0]?.surfaceTerrain]).toEqual([living, land]);
});

it.each<[string, string, number]>([
  ['between records', feed(BASE).slice(0, -'</propiedades>'.length), 1],
  ['inside a record', feed(BASE).slice(0, -30), 0],
])('Inmovilla connector reports a file that is cut %s as incomplete', async (_title, content, count) => {
  const { listings, summary } = await readDropped(connector, content);
  expect([listings.length, summary.incomplete]).toEqual([count, expect.stringMatching(/the document ends at line 1/)]);
});

it('Inmovilla connector rejects an HTML page and an archive', async () => {
  await expect(readDropped(connector, '<html><body>Login</body></html>')).rejects.toThrow(/html/i);
  await expect(readDropped(connector, archiveOf({ 'a.xml': feed(BASE) }))).rejects.toThrow();
});

it.each([
  '<accion>Vender</accion><estadoficha>Vendido</estadoficha>',
  '<accion>Alquilar</accion><estadoficha>alquilada</estadoficha>',
  '<accion>Vendida</accion>',
  '<accion>Alquilado</accion>',
])('Inmovilla connector withdraws a property with %s', async (inside) => {
  const { listings, rejections } = await readDropped(connector, feed(`${BASE}${inside}${BOTH}`));
  expect([listings, rejections]).toEqual([[], [expect.stringMatching(/^withdrawn /)]]);
});

it.each([
  ['7', true],
  ['Reservado', true],
  ['Reservada', true],
  ['Activa', undefined],
])('Inmovilla connector marks a property with the state %s as under offer: %s', async (state, sousOffre) => {
  const { listings, warnings } = await read(`<accion>Vender</accion><estadoficha>${state}</estadoficha>${BOTH}`);
  expect([listings[0]?.sousOffre || undefined, warnings]).toEqual([sousOffre, []]);
});

it('Inmovilla connector reads the rent of a let with an option to buy', async () => {
  const { listings, warnings } = await read(`<accion>Alquilar con opción a compra</accion>${BOTH}`);
  expect([idsAndOffers(listings), warnings]).toEqual([[LET], []]);
});

it('Inmovilla connector omits the emissions letter when the energy letter is a word that is not a class', async () => {
  const { listings } = await read(
    '<accion>Vender</accion><energialetra>Pendiente</energialetra><emisionesletra>G</emisionesletra>',
  );
  expect(listings[0]).not.toHaveProperty('energie');
});

it('Inmovilla connector omits prices on request, in the raw record too', async () => {
  const { listings, raws } = await readDropped(
    connector,
    feed(`${BASE}<accion>Vender</accion>${BOTH}<outlet>210000</outlet><aconsultar>1</aconsultar>`),
  );
  expect(listings[0]).toMatchObject({ prixSurDemande: true });
  expect(JSON.stringify([listings, raws])).not.toMatch(/200000|900|30000|210000/);
});
