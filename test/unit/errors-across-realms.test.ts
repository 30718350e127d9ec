import fs from 'node:fs';
import vm from 'node:vm';

describe('instanceof in tests', () => {
  function thrownByNode(): unknown {
    try {
      return fs.readFileSync('/this/is/not/there');
    } catch (error) {
      return error;
    }
  }

  it("knows Node's own errors, as it does in production", () => {
    expect(thrownByNode() instanceof Error).toBe(true);
    expect(vm.runInNewContext('new TypeError("x")') instanceof TypeError).toBe(true);
  });

  it('still tells classes apart', () => {
    class Own extends Error {}
    expect(new Own() instanceof Error).toBe(true);
    expect(new Error('x') instanceof Own).toBe(false);
    expect(thrownByNode() instanceof Own).toBe(false);
    expect(vm.runInNewContext('new TypeError("x")') instanceof RangeError).toBe(false);
    expect({ message: 'x' } instanceof Error).toBe(false);
  });
});
