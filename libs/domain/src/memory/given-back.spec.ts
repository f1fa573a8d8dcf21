import { givenBack, overwriteGivenBack } from './given-back';

describe('a released buffer', () => {
  it('is overwritten in tests, and unchanged elsewhere', () => {
    jest.isolateModules(() => {
      const elsewhere = jest.requireActual<{ givenBack: typeof givenBack }>('./given-back');
      const memory = Buffer.from('ab');
      elsewhere.givenBack(memory);
      expect(memory.toString()).toBe('ab');
    });
    overwriteGivenBack();
    const memory = Buffer.from('ab');
    givenBack(memory);
    expect(memory).toEqual(Buffer.from([0xff, 0xff]));
  });
});
