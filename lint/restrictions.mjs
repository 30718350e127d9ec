/** The selectors of `no-restricted-syntax`, by what they guard. ESLint replaces a rule's options as a whole, so rooms combine these lists. */

export const environment = [
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'Only src/config.ts reads the environment: take the value as a parameter.',
  },
  {
    selector: "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name='env']",
    message: 'Only src/config.ts reads the environment: take the value as a parameter.',
  },
  {
    selector: "ImportDeclaration[source.value=/^(node:)?process$/] > ImportSpecifier[imported.name='env']",
    message: 'Only src/config.ts reads the environment: take the value as a parameter.',
  },
];

const clockMessage =
  "The database's clock is the clock (spec 10): take the time as a parameter, or read it in the same query.";
const randomMessage = 'Decisions are pure: take what is random as a parameter.';

export const clockAndRandom = [
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: clockMessage },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clockMessage },
  { selector: "CallExpression[callee.name='Date']", message: clockMessage },
  { selector: "MemberExpression[object.name='performance']", message: clockMessage },
  { selector: "MemberExpression[object.name='process'][property.name='hrtime']", message: clockMessage },
  { selector: 'ImportDeclaration[source.value=/^(node:)?perf_hooks$/]', message: clockMessage },
  { selector: "MemberExpression[object.name='Math'][property.name='random']", message: randomMessage },
  { selector: 'Identifier[name=/^(randomUUID|randomBytes|randomInt|getRandomValues)$/]', message: randomMessage },
];

export const defaultExport = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only, so that a thing has one name everywhere.' },
  {
    selector: "ExportSpecifier[exported.name='default']",
    message: 'Named exports only, so that a thing has one name everywhere.',
  },
];

export const sleeping = [
  {
    selector: "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']",
    message: 'A sleep hides a race: wait for the condition itself with eventually (test/support/eventually.ts).',
  },
  {
    selector: ':matches(ImportDeclaration, ExportNamedDeclaration)[source.value=/^(node:)?timers.promises$/]',
    message: 'A sleep hides a race: wait for the condition itself with eventually (test/support/eventually.ts).',
  },
];

/** No code path runs a step without the claim (spec 10, spec 20 "Two doors, one answer"): no exception, tests and scripts included. */
export const runWithoutClaim = [
  {
    selector: "Identifier[name='runCalls']",
    message: 'A step runs only under its claim: executeAndFinalize alone calls runCalls (spec 20).',
  },
  {
    selector: "Literal[value='runCalls']",
    message: 'A step runs only under its claim: executeAndFinalize alone calls runCalls (spec 20).',
  },
];
