import { FIELD_GROUPS } from './field-groups';

it('FIELD_GROUPS contains each field at most once', () => {
  const fields = Object.values(FIELD_GROUPS).flat();
  expect(new Set(fields).size).toBe(fields.length);
});
