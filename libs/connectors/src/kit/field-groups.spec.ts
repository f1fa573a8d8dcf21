import { FIELD_GROUPS } from '@passerelle/domain';
import { absentGroups } from './field-groups';

describe('absentGroups', () => {
  it('gives the fields of a group the reason of that group, and all other fields the usual reason', () => {
    const answers = absentGroups('not in the format', { 'specific to French law': ['frenchLaw'] });
    expect(answers.georisques.verb).toBe('absent: specific to French law');
    expect(answers.etage.verb).toBe('absent: not in the format');
    expect(Object.keys(answers).sort()).toEqual(Object.values(FIELD_GROUPS).flat().sort());
  });

  it('refuses a group with two reasons', () => {
    expect(() => absentGroups('usual', { 'one reason': ['fees'], another: ['media', 'fees'] })).toThrow(
      'the group of fields fees has two reasons to be absent',
    );
  });
});
