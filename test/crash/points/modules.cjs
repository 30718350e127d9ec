'use strict';
/* What is seen by wrapping what our own modules give out: a purchase as a whole, and what a provider sends. */
const Module = require('node:module');
const { between } = require('./point.cjs');
const { whileBuying } = require('./state.cjs');

const wrappers = [];
const wrapped = new WeakMap();
const load = Module._load;

Module._load = function (request, parent, isMain) {
  const exports = load.call(this, request, parent, isMain);
  if (wrappers.length === 0 || typeof exports !== 'object' || exports === null || !request.startsWith('.'))
    return exports;
  const file = Module._resolveFilename(request, parent, isMain).replaceAll('\\', '/');
  const wrapper = wrappers.find(({ pattern }) => pattern.test(file));
  if (!wrapper) return exports;
  if (!wrapped.has(exports)) wrapped.set(exports, proxied(exports, wrapper.around));
  return wrapped.get(exports);
};

/** The same exports, each function as `around` makes it. */
function proxied(exports, around) {
  const made = new Map();
  return new Proxy(exports, {
    get(target, name) {
      const value = target[name];
      if (typeof value !== 'function') return value;
      if (!made.has(name)) made.set(name, around(value, String(name)));
      return made.get(name);
    },
  });
}

/** From the first look to the last write, one call of a step is one purchase; its state is part of a point's state. */
function watchBuying() {
  wrappers.push({
    pattern: /\/dist\/src\/purchases\/buy\.js$/,
    around:
      (buy) =>
      (...args) =>
        whileBuying(() => buy(...args)),
  });
}

/** Whatever a module of the providers' room makes that can send. */
function watchProviders() {
  wrappers.push({
    pattern: /\/dist\/src\/providers\/[^/]+\/provider\.js$/,
    around:
      (make) =>
      (...args) =>
        sending(make(...args)),
  });
}

function sending(provider) {
  if (typeof provider?.send !== 'function') return provider;
  const { send, withPrice } = provider;
  return {
    ...provider,
    send: (request, options) =>
      between('provider', `provider ${provider.name}`, `send ${request.kind}`, () =>
        send.call(provider, request, options),
      ),
    ...(withPrice ? { withPrice: (price) => sending(withPrice.call(provider, price)) } : {}),
  };
}

module.exports = { watchBuying, watchProviders };
