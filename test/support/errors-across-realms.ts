import { types } from 'node:util';

/**
 * Jest runs a test in a context of its own, where an error that Node itself made (a refused connection, a missing file) is no
 * `instanceof Error`. The product, which runs in one context, asks exactly that. Here the built-in classes know their kind from
 * other contexts, too; classes made from them keep the ordinary meaning.
 */
const builtIn = [Error, AggregateError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, EvalError];

function descendsFrom(value: object, name: string): boolean {
  for (let proto: unknown = Object.getPrototypeOf(value); proto; proto = Object.getPrototypeOf(proto))
    if ((proto as { constructor?: { name?: string } }).constructor?.name === name) return true;
  return false;
}

for (const known of builtIn) {
  Object.defineProperty(known, Symbol.hasInstance, {
    configurable: true,
    value(this: unknown, value: unknown): boolean {
      if (Function.prototype[Symbol.hasInstance].call(this as () => void, value)) return true;
      return this === known && types.isNativeError(value) && descendsFrom(value, known.name);
    },
  });
}
