import { FIELD_GROUPS } from './field-groups';

it('FIELD_GROUPS has each field in only one group', () => {
  const fields = Object.values(FIELD_GROUPS).flat();
  expect(new Set(fields).size).toBe(fields.length);
});
