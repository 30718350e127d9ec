/** A limit against hanging for ever, wide enough for a busy machine; no test measures itself by it. */
jest.setTimeout(240_000);
