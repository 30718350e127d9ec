import ts from 'typescript';

/**
 * Every paid call goes through `buy` in src/purchases (spec 40), which writes the purchase before the request leaves. This rule
 * finds each use of `send` of whatever could serve as a `Provider` (src/providers/port.ts), by its type and not by its name; the
 * configuration names the one room where it is off.
 */
function providerType(program, checker) {
  const file = program.getSourceFiles().find((source) => source.fileName.endsWith('/src/providers/port.ts'));
  const exported =
    file && checker.getExportsOfModule(checker.getSymbolAtLocation(file)).find((one) => one.name === 'Provider');
  return exported && checker.getDeclaredTypeOfSymbol(exported);
}

export const providerSend = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { outside: 'Only src/purchases calls a provider (spec 40): use buy, which writes the purchase ahead.' },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    if (!services.program)
      throw new Error('callsheet/provider-send needs the types: set languageOptions.parserOptions.project.');
    const checker = services.program.getTypeChecker();
    const provider = providerType(services.program, checker);

    const check = (node, objectNode) => {
      const type = services.getTypeAtLocation(objectNode);
      const says = type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Never | ts.TypeFlags.Unknown);
      if (provider && !says && checker.isTypeAssignableTo(type, provider))
        context.report({ node, messageId: 'outside' });
    };

    return {
      "MemberExpression[computed=false][property.name='send']": (node) => check(node, node.object),
      "MemberExpression[computed=true][property.value='send']": (node) => check(node, node.object),
      // const { send } = provider
      "ObjectPattern > Property[key.name='send']": (node) => check(node, node.parent),
    };
  },
};
