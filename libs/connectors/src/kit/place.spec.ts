import { place, position } from './place';
import { recordingContext } from '../../../../test/support/connectors/recording-context';
import * as v from './verbs';

describe('position', () => {
  const { latitude, longitude } = position<{ shown?: boolean | 'district' }>('lat', 'lon', ({ shown = true }) => shown);

  it.each<[object, [number | undefined, number | undefined], string]>([
    [{ lat: '46,2', lon: 6.1 }, [46.2, 6.1], ''],
    [{ lat: '46.2' }, [undefined, undefined], '46.2, '],
    [{ lon: '6.1' }, [undefined, undefined], ', 6.1'],
    [{ lat: '96.2', lon: '6.1' }, [undefined, undefined], '96.2, 6.1'],
    [{ lat: '46.2', lon: 'six' }, [undefined, undefined], '46.2, six'],
    [{ lat: 'N', lon: 'E' }, [undefined, undefined], 'N, E'],
    [{ lat: '46.2', lon: '0' }, [undefined, undefined], '46.2, 0'],
    [{ lat: '0', lon: '0' }, [undefined, undefined], ''],
    [{ lat: '', lon: 'inconnu' }, [undefined, undefined], ''],
    [{}, [undefined, undefined], ''],
    [{ lat: '46.2', lon: '6.1', shown: false }, [undefined, undefined], ''],
    [{ lat: '46.2351', lon: '-6.1449', shown: 'district' }, [46.24, -6.14], ''],
    [{ lat: '46.2351', shown: 'district' }, [undefined, undefined], '46.2351, '],
  ])('reads %j as %j, and warns about invalid coordinates', (record, expected, noticed) => {
    const { context, warnings } = recordingContext('demo');
    expect([latitude.read(record, context), longitude.read(record, context)]).toEqual(expected);
    expect(warnings).toEqual(noticed === '' ? [] : [`implausible_value lat ${noticed}`]);
  });
});

describe('place', () => {
  const { pays, codePostal } = place({ country: v.word('country'), postcode: v.word('zip'), usual: 'FR' });

  it.each<[object, Record<string, string>, [string | undefined, string | undefined], string[]]>([
    [{ country: 'Espagne', zip: '8001' }, {}, ['ES', '08001'], []],
    [{ zip: '1000' }, {}, ['FR', '01000'], []],
    [{ zip: '1000' }, { pays: 'Suisse' }, ['CH', '1000'], []],
    [{ zip: 'voir plan (centre)' }, {}, ['FR', undefined], ['implausible_value zip voir plan (centre)']],
    [{ zip: '69001 LYON CEDEX 03' }, {}, ['FR', undefined], ['implausible_value zip 69001 LYON CEDEX 03']],
    [{ zip: '69001/69002?' }, {}, ['FR', undefined], ['implausible_value zip 69001/69002?']],
    [{ zip: '00000' }, {}, ['FR', undefined], []],
    [{ zip: '97400' }, {}, ['RE', '97400'], []],
    [{ country: 'France', zip: '97133' }, {}, ['BL', '97133'], []],
    [{ country: 'France', zip: '97150' }, {}, ['MF', '97150'], []],
    [{ country: 'Guadeloupe', zip: '97110' }, {}, ['GP', '97110'], []],
    [{ country: 'FR', zip: '98000' }, {}, ['MC', '98000'], []],
    [{ country: 'FR', zip: '98800' }, {}, ['FR', '98800'], []],
    [{ country: 'Spain', zip: 'AD700' }, {}, ['AD', 'AD700'], []],
    [{ country: 'DE', zip: '97421' }, {}, ['DE', '97421'], []],
    [{ zip: 'inconnu' }, { pays: 'CH' }, ['CH', undefined], []],
    [{ country: 'Atlantide', zip: '1000' }, { pays: 'CH' }, [undefined, '1000'], ['unknown_word country Atlantide']],
  ])('reads %j with the settings %j as %j', (record, settings, expected, noticed) => {
    const { context, warnings } = recordingContext('demo', { settings });
    expect([pays.read(record, context), codePostal.read(record, context), warnings]).toEqual([...expected, noticed]);
  });
});
